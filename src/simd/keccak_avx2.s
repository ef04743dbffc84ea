# Keccak-f[1600] on four states: word i of all four is 32 bytes at 32·i.
#
#   rdi  the states              rsi  as much memory, for every second round
#   rdx  the constants of ι, four times each
#   rcx  memory for D            r9   shuffles of bytes: rotations by 8 and 56
#
# C[x] is the parity of column x, D[x] what θ changes that column by, A a word of the state, B[y,x]
# a word of plane y after π and ρ; A′ and C′ are those of the next round. The parities of the
# columns that a round writes are summed on the way and stay in registers.

    vmovdqu ymm0, [rdi]
    vpxor ymm0, ymm0, [rdi + 160]
    vpxor ymm0, ymm0, [rdi + 320]
    vpxor ymm0, ymm0, [rdi + 480]
    vpxor ymm0, ymm0, [rdi + 640]
    vmovdqu ymm1, [rdi + 32]
    vpxor ymm1, ymm1, [rdi + 192]
    vpxor ymm1, ymm1, [rdi + 352]
    vpxor ymm1, ymm1, [rdi + 512]
    vpxor ymm1, ymm1, [rdi + 672]
    vmovdqu ymm2, [rdi + 64]
    vpxor ymm2, ymm2, [rdi + 224]
    vpxor ymm2, ymm2, [rdi + 384]
    vpxor ymm2, ymm2, [rdi + 544]
    vpxor ymm2, ymm2, [rdi + 704]
    vmovdqu ymm3, [rdi + 96]
    vpxor ymm3, ymm3, [rdi + 256]
    vpxor ymm3, ymm3, [rdi + 416]
    vpxor ymm3, ymm3, [rdi + 576]
    vpxor ymm3, ymm3, [rdi + 736]
    vmovdqu ymm4, [rdi + 128]
    vpxor ymm4, ymm4, [rdi + 288]
    vpxor ymm4, ymm4, [rdi + 448]
    vpxor ymm4, ymm4, [rdi + 608]
    vpxor ymm4, ymm4, [rdi + 768]
    mov eax, 12
2:
    vpaddq ymm15, ymm2, ymm2            # C[2] << 1
    vpaddq ymm14, ymm3, ymm3            # C[3] << 1
    vpsrlq ymm13, ymm2, 63              # C[2] >> 63
    vpaddq ymm12, ymm4, ymm4            # C[4] << 1
    vpxor ymm12, ymm12, ymm2            # C[4] << 1 ^ C[2]
    vpaddq ymm11, ymm0, ymm0            # C[0] << 1
    vpaddq ymm10, ymm1, ymm1            # C[1] << 1
    vpxor ymm14, ymm14, ymm1            # C[3] << 1 ^ C[1]
    vpxor ymm10, ymm10, ymm4            # C[1] << 1 ^ C[4]
    vpxor ymm11, ymm11, ymm3            # C[0] << 1 ^ C[3]
    vpxor ymm15, ymm15, ymm0            # C[2] << 1 ^ C[0]
    vpsrlq ymm3, ymm3, 63               # C[3] >> 63
    vpxor ymm13, ymm13, ymm15           # D[1]
    vpxor ymm3, ymm3, ymm14             # D[2]
    vpsrlq ymm4, ymm4, 63               # C[4] >> 63
    vpsrlq ymm0, ymm0, 63               # C[0] >> 63
    vpxor ymm0, ymm0, ymm11             # D[4]
    vpxor ymm4, ymm4, ymm12             # D[3]
    vpsrlq ymm1, ymm1, 63               # C[1] >> 63
    vpxor ymm15, ymm13, [rdi + 192]     # A[6] ^ D[1]
    vmovdqu [rcx + 96], ymm4            # D[3]
    vpxor ymm4, ymm4, [rdi + 576]       # A[18] ^ D[3]
    vpxor ymm1, ymm1, ymm10             # D[0]
    vpsrlq ymm10, ymm15, 20             # B[0,1]: >> 20
    vpsllq ymm15, ymm15, 44             # B[0,1]: << 44
    vmovdqu [rcx], ymm1                 # D[0]
    vpsllq ymm14, ymm4, 21              # B[0,3]: << 21
    vpsrlq ymm4, ymm4, 43               # B[0,3]: >> 43
    vpxor ymm11, ymm3, [rdi + 384]      # A[12] ^ D[2]
    vpor ymm10, ymm10, ymm15            # B[0,1]
    vpsrlq ymm15, ymm11, 21             # B[0,2]: >> 21
    vpsllq ymm11, ymm11, 43             # B[0,2]: << 43
    vpxor ymm12, ymm0, [rdi + 768]      # A[24] ^ D[4]
    vpxor ymm9, ymm13, [rdi + 672]      # A[21] ^ D[1]
    vpor ymm15, ymm15, ymm11            # B[0,2]
    vpsrlq ymm11, ymm12, 50             # B[0,4]: >> 50
    vpsllq ymm12, ymm12, 14             # B[0,4]: << 14
    vpor ymm4, ymm4, ymm14              # B[0,3]
    vpor ymm11, ymm11, ymm12            # B[0,4]
    vpandn ymm14, ymm10, ymm15          # ~B[0,1] & B[0,2]
    vpandn ymm12, ymm15, ymm4           # ~B[0,2] & B[0,3]
    vpxor ymm1, ymm1, [rdi]             # B[0,0]
    vpandn ymm8, ymm4, ymm11            # ~B[0,3] & B[0,4]
    vpsllq ymm7, ymm9, 2                # B[4,4]: << 2
    vpandn ymm6, ymm11, ymm1            # ~B[0,4] & B[0,0]
    vpxor ymm5, ymm3, [rdi + 64]        # A[2] ^ D[2]
    vpsllq ymm2, ymm5, 62               # B[4,0]: << 62
    vpxor ymm14, ymm14, ymm1            # χ 0,0
    vpandn ymm1, ymm1, ymm10            # ~B[0,0] & B[0,1]
    vpxor ymm8, ymm8, ymm15             # χ 0,2
    vmovdqu [rsi + 64], ymm8            # A′[2]
    vpxor ymm14, ymm14, [rdx]           # χ, ι 0,0
    vpxor ymm15, ymm0, [rdi + 448]      # A[14] ^ D[4]
    vpxor ymm12, ymm12, ymm10           # χ 0,1
    vpsrlq ymm9, ymm9, 62               # B[4,4]: >> 62
    vmovdqu [rsi + 32], ymm12           # A′[1]
    vmovdqu [rsi], ymm14                # A′[0]
    vmovdqu ymm10, [rdi + 256]          # A[8] ^ D[3]
    vpxor ymm10, ymm10, [rcx + 96]      # A[8] ^ D[3]
    vpxor ymm6, ymm6, ymm4              # χ 0,3
    vpxor ymm1, ymm1, ymm11             # χ 0,4
    vpsrlq ymm5, ymm5, 2                # B[4,0]: >> 2
    vmovdqu [rsi + 128], ymm1           # A′[4]
    vmovdqu [rsi + 96], ymm6            # A′[3]
    vmovdqu ymm11, [rdi + 480]          # A[15] ^ D[0]
    vpxor ymm11, ymm11, [rcx]           # A[15] ^ D[0]
    vpsllq ymm4, ymm10, 55              # B[4,1]: << 55
    vpsrlq ymm10, ymm10, 9              # B[4,1]: >> 9
    vpor ymm5, ymm5, ymm2               # B[4,0]
    vpsrlq ymm2, ymm11, 23              # B[4,3]: >> 23
    vpsllq ymm11, ymm11, 41             # B[4,3]: << 41
    vpor ymm10, ymm10, ymm4             # B[4,1]
    vpor ymm9, ymm9, ymm7               # B[4,4]
    vpsllq ymm7, ymm15, 39              # B[4,2]: << 39
    vpsrlq ymm15, ymm15, 25             # B[4,2]: >> 25
    vpor ymm2, ymm2, ymm11              # B[4,3]
    vpandn ymm11, ymm9, ymm5            # ~B[4,4] & B[4,0]
    vpor ymm15, ymm15, ymm7             # B[4,2]
    vpandn ymm7, ymm5, ymm10            # ~B[4,0] & B[4,1]
    vpxor ymm4, ymm3, [rdi + 704]       # A[22] ^ D[2]
    vpxor ymm11, ymm11, ymm2            # χ 4,3
    vmovdqu [rsi + 736], ymm11          # A′[23]
    vpxor ymm7, ymm7, ymm9              # χ 4,4
    vpandn ymm9, ymm2, ymm9             # ~B[4,3] & B[4,4]
    vpxor ymm6, ymm6, ymm11             # C′[3]
    vpxor ymm11, ymm13, [rdi + 512]     # A[16] ^ D[1]
    vmovdqu [rsi + 768], ymm7           # A′[24]
    vpandn ymm2, ymm15, ymm2            # ~B[4,2] & B[4,3]
    vpxor ymm1, ymm1, ymm7              # C′[4]
    vpsllq ymm7, ymm4, 61               # B[1,4]: << 61
    vpxor ymm9, ymm9, ymm15             # χ 4,2
    vmovdqu [rsi + 704], ymm9           # A′[22]
    vpandn ymm15, ymm10, ymm15          # ~B[4,1] & B[4,2]
    vpsrlq ymm4, ymm4, 3                # B[1,4]: >> 3
    vpxor ymm2, ymm2, ymm10             # χ 4,1
    vpxor ymm10, ymm0, [rdi + 288]      # A[9] ^ D[4]
    vmovdqu [rsi + 672], ymm2           # A′[21]
    vpxor ymm15, ymm15, ymm5            # χ 4,0
    vpsllq ymm5, ymm10, 20              # B[1,1]: << 20
    vpxor ymm8, ymm8, ymm9              # C′[2]
    vpxor ymm12, ymm12, ymm2            # C′[1]
    vmovdqu [rsi + 640], ymm15          # A′[20]
    vmovdqu ymm9, [rdi + 320]           # A[10] ^ D[0]
    vpxor ymm9, ymm9, [rcx]             # A[10] ^ D[0]
    vpxor ymm14, ymm14, ymm15           # C′[0]
    vpor ymm4, ymm4, ymm7               # B[1,4]
    vpsrlq ymm15, ymm11, 19             # B[1,3]: >> 19
    vpsllq ymm7, ymm9, 3                # B[1,2]: << 3
    vpsrlq ymm10, ymm10, 44             # B[1,1]: >> 44
    vmovdqu ymm2, [rdi + 96]            # A[3] ^ D[3]
    vpxor ymm2, ymm2, [rcx + 96]        # A[3] ^ D[3]
    vpor ymm10, ymm10, ymm5             # B[1,1]
    vpsrlq ymm9, ymm9, 61               # B[1,2]: >> 61
    vpsrlq ymm5, ymm2, 36               # B[1,0]: >> 36
    vpsllq ymm11, ymm11, 45             # B[1,3]: << 45
    vpsllq ymm2, ymm2, 28               # B[1,0]: << 28
    vpor ymm9, ymm9, ymm7               # B[1,2]
    vmovdqu ymm7, [rdi + 736]           # A[23] ^ D[3]
    vpxor ymm7, ymm7, [rcx + 96]        # A[23] ^ D[3]
    vpor ymm15, ymm15, ymm11            # B[1,3]
    vpor ymm5, ymm5, ymm2               # B[1,0]
    vpandn ymm11, ymm10, ymm9           # ~B[1,1] & B[1,2]
    vpxor ymm2, ymm3, [rdi + 544]       # A[17] ^ D[2]
    vpxor ymm11, ymm11, ymm5            # χ 1,0
    vpshufb ymm7, ymm7, [r9 + 32]       # B[3,4]
    vpxor ymm3, ymm3, [rdi + 224]       # A[7] ^ D[2]
    vmovdqu [rsi + 160], ymm11          # A′[5]
    vpxor ymm14, ymm14, ymm11           # C′[0]
    vpandn ymm11, ymm9, ymm15           # ~B[1,2] & B[1,3]
    vpxor ymm11, ymm11, ymm10           # χ 1,1
    vmovdqu [rsi + 192], ymm11          # A′[6]
    vpxor ymm12, ymm12, ymm11           # C′[1]
    vpandn ymm10, ymm5, ymm10           # ~B[1,0] & B[1,1]
    vpandn ymm11, ymm15, ymm4           # ~B[1,3] & B[1,4]
    vpandn ymm5, ymm4, ymm5             # ~B[1,4] & B[1,0]
    vpxor ymm10, ymm10, ymm4            # χ 1,4
    vpxor ymm11, ymm11, ymm9            # χ 1,2
    vpxor ymm9, ymm0, [rdi + 128]       # A[4] ^ D[4]
    vmovdqu [rsi + 224], ymm11          # A′[7]
    vmovdqu [rsi + 288], ymm10          # A′[9]
    vpxor ymm5, ymm5, ymm15             # χ 1,3
    vpsllq ymm15, ymm9, 27              # B[3,0]: << 27
    vmovdqu ymm4, [rdi + 160]           # A[5] ^ D[0]
    vpxor ymm4, ymm4, [rcx]             # A[5] ^ D[0]
    vpsrlq ymm9, ymm9, 37               # B[3,0]: >> 37
    vmovdqu [rsi + 256], ymm5           # A′[8]
    vpxor ymm6, ymm6, ymm5              # C′[3]
    vpsllq ymm5, ymm2, 15               # B[3,3]: << 15
    vpsrlq ymm2, ymm2, 49               # B[3,3]: >> 49
    vpxor ymm8, ymm8, ymm11             # C′[2]
    vpor ymm2, ymm2, ymm5               # B[3,3]
    vpsrlq ymm11, ymm4, 28              # B[3,1]: >> 28
    vpsllq ymm4, ymm4, 36               # B[3,1]: << 36
    vpxor ymm5, ymm13, [rdi + 352]      # A[11] ^ D[1]
    vpxor ymm1, ymm1, ymm10             # C′[4]
    vpor ymm9, ymm9, ymm15              # B[3,0]
    vpsllq ymm10, ymm5, 10              # B[3,2]: << 10
    vpxor ymm0, ymm0, [rdi + 608]       # A[19] ^ D[4]
    vpsrlq ymm5, ymm5, 54               # B[3,2]: >> 54
    vpor ymm11, ymm11, ymm4             # B[3,1]
    vmovdqu ymm15, [rdi + 640]          # A[20] ^ D[0]
    vpxor ymm15, ymm15, [rcx]           # A[20] ^ D[0]
    vmovdqu ymm4, [rdi + 416]           # A[13] ^ D[3]
    vpxor ymm4, ymm4, [rcx + 96]        # A[13] ^ D[3]
    vpor ymm5, ymm5, ymm10              # B[3,2]
    vpsrlq ymm10, ymm4, 39              # B[2,2]: >> 39
    vpxor ymm13, ymm13, [rdi + 32]      # A[1] ^ D[1]
    vpsllq ymm4, ymm4, 25               # B[2,2]: << 25
    vpor ymm10, ymm10, ymm4             # B[2,2]
    vpsrlq ymm4, ymm3, 58               # B[2,1]: >> 58
    vpsllq ymm3, ymm3, 6                # B[2,1]: << 6
    vpor ymm4, ymm4, ymm3               # B[2,1]
    vpaddq ymm3, ymm13, ymm13           # B[2,0]: << 1
    vpsrlq ymm13, ymm13, 63             # B[2,0]: >> 63
    vpshufb ymm0, ymm0, [r9]            # B[2,3]
    vpor ymm13, ymm13, ymm3             # B[2,0]
    vpandn ymm3, ymm5, ymm2             # ~B[3,2] & B[3,3]
    vpxor ymm3, ymm3, ymm11             # χ 3,1
    vmovdqu [rsi + 512], ymm3           # A′[16]
    vpxor ymm12, ymm12, ymm3            # C′[1]
    vpsllq ymm3, ymm15, 18              # B[2,4]: << 18
    vpsrlq ymm15, ymm15, 46             # B[2,4]: >> 46
    vpor ymm15, ymm15, ymm3             # B[2,4]
    vpandn ymm3, ymm9, ymm11            # ~B[3,0] & B[3,1]
    vpandn ymm11, ymm11, ymm5           # ~B[3,1] & B[3,2]
    vpxor ymm3, ymm3, ymm7              # χ 3,4
    vpxor ymm11, ymm11, ymm9            # χ 3,0
    vpandn ymm9, ymm7, ymm9             # ~B[3,4] & B[3,0]
    vpandn ymm7, ymm2, ymm7             # ~B[3,3] & B[3,4]
    vmovdqu [rsi + 480], ymm11          # A′[15]
    vmovdqu [rsi + 608], ymm3           # A′[19]
    vpxor ymm1, ymm1, ymm3              # C′[4]
    vpxor ymm9, ymm9, ymm2              # χ 3,3
    vpxor ymm14, ymm14, ymm11           # C′[0]
    vpxor ymm7, ymm7, ymm5              # χ 3,2
    vmovdqu [rsi + 544], ymm7           # A′[17]
    vmovdqu [rsi + 576], ymm9           # A′[18]
    vpxor ymm6, ymm6, ymm9              # C′[3]
    vpxor ymm8, ymm8, ymm7              # C′[2]
    vpandn ymm9, ymm0, ymm15            # ~B[2,3] & B[2,4]
    vpandn ymm11, ymm4, ymm10           # ~B[2,1] & B[2,2]
    vpandn ymm5, ymm13, ymm4            # ~B[2,0] & B[2,1]
    vpandn ymm7, ymm10, ymm0            # ~B[2,2] & B[2,3]
    vpxor ymm9, ymm9, ymm10             # χ 2,2
    vpxor ymm11, ymm11, ymm13           # χ 2,0
    vmovdqu [rsi + 384], ymm9           # A′[12]
    vmovdqu [rsi + 320], ymm11          # A′[10]
    vpxor ymm5, ymm5, ymm15             # χ 2,4
    vpxor ymm14, ymm14, ymm11           # C′[0]
    vpxor ymm7, ymm7, ymm4              # χ 2,1
    vpandn ymm15, ymm15, ymm13          # ~B[2,4] & B[2,0]
    vmovdqu [rsi + 352], ymm7           # A′[11]
    vmovdqu [rsi + 448], ymm5           # A′[14]
    vpxor ymm15, ymm15, ymm0            # χ 2,3
    vpxor ymm1, ymm1, ymm5              # C′[4]
    vpxor ymm8, ymm8, ymm9              # C′[2]
    vpxor ymm12, ymm12, ymm7            # C′[1]
    vmovdqu [rsi + 416], ymm15          # A′[13]
    vpxor ymm6, ymm6, ymm15             # C′[3]
    vpaddq ymm15, ymm8, ymm8            # C[2] << 1
    vpaddq ymm13, ymm6, ymm6            # C[3] << 1
    vpsrlq ymm11, ymm8, 63              # C[2] >> 63
    vpaddq ymm10, ymm1, ymm1            # C[4] << 1
    vpxor ymm10, ymm10, ymm8            # C[4] << 1 ^ C[2]
    vpaddq ymm9, ymm14, ymm14           # C[0] << 1
    vpaddq ymm8, ymm12, ymm12           # C[1] << 1
    vpxor ymm13, ymm13, ymm12           # C[3] << 1 ^ C[1]
    vpxor ymm8, ymm8, ymm1              # C[1] << 1 ^ C[4]
    vpxor ymm9, ymm9, ymm6              # C[0] << 1 ^ C[3]
    vpxor ymm15, ymm15, ymm14           # C[2] << 1 ^ C[0]
    vpsrlq ymm6, ymm6, 63               # C[3] >> 63
    vpxor ymm11, ymm11, ymm15           # D[1]
    vpxor ymm6, ymm6, ymm13             # D[2]
    vpsrlq ymm1, ymm1, 63               # C[4] >> 63
    vpsrlq ymm14, ymm14, 63             # C[0] >> 63
    vpxor ymm14, ymm14, ymm9            # D[4]
    vpxor ymm1, ymm1, ymm10             # D[3]
    vpsrlq ymm12, ymm12, 63             # C[1] >> 63
    vpxor ymm15, ymm11, [rsi + 192]     # A[6] ^ D[1]
    vmovdqu [rcx + 96], ymm1            # D[3]
    vpxor ymm1, ymm1, [rsi + 576]       # A[18] ^ D[3]
    vpxor ymm12, ymm12, ymm8            # D[0]
    vpsrlq ymm8, ymm15, 20              # B[0,1]: >> 20
    vpsllq ymm15, ymm15, 44             # B[0,1]: << 44
    vmovdqu [rcx], ymm12                # D[0]
    vpsllq ymm13, ymm1, 21              # B[0,3]: << 21
    vpsrlq ymm1, ymm1, 43               # B[0,3]: >> 43
    vpxor ymm9, ymm6, [rsi + 384]       # A[12] ^ D[2]
    vpor ymm8, ymm8, ymm15              # B[0,1]
    vpsrlq ymm15, ymm9, 21              # B[0,2]: >> 21
    vpsllq ymm9, ymm9, 43               # B[0,2]: << 43
    vpxor ymm10, ymm14, [rsi + 768]     # A[24] ^ D[4]
    vpxor ymm7, ymm11, [rsi + 672]      # A[21] ^ D[1]
    vpor ymm15, ymm15, ymm9             # B[0,2]
    vpsrlq ymm9, ymm10, 50              # B[0,4]: >> 50
    vpsllq ymm10, ymm10, 14             # B[0,4]: << 14
    vpor ymm1, ymm1, ymm13              # B[0,3]
    vpor ymm9, ymm9, ymm10              # B[0,4]
    vpandn ymm13, ymm8, ymm15           # ~B[0,1] & B[0,2]
    vpandn ymm10, ymm15, ymm1           # ~B[0,2] & B[0,3]
    vpxor ymm12, ymm12, [rsi]           # B[0,0]
    vpandn ymm5, ymm1, ymm9             # ~B[0,3] & B[0,4]
    vpsllq ymm4, ymm7, 2                # B[4,4]: << 2
    vpandn ymm3, ymm9, ymm12            # ~B[0,4] & B[0,0]
    vpxor ymm2, ymm6, [rsi + 64]        # A[2] ^ D[2]
    vpsllq ymm0, ymm2, 62               # B[4,0]: << 62
    vpxor ymm13, ymm13, ymm12           # χ 0,0
    vpandn ymm12, ymm12, ymm8           # ~B[0,0] & B[0,1]
    vpxor ymm5, ymm5, ymm15             # χ 0,2
    vmovdqu [rdi + 64], ymm5            # A′[2]
    vpxor ymm13, ymm13, [rdx + 32]      # χ, ι 0,0
    vpxor ymm15, ymm14, [rsi + 448]     # A[14] ^ D[4]
    vpxor ymm10, ymm10, ymm8            # χ 0,1
    vpsrlq ymm7, ymm7, 62               # B[4,4]: >> 62
    vmovdqu [rdi + 32], ymm10           # A′[1]
    vmovdqu [rdi], ymm13                # A′[0]
    vmovdqu ymm8, [rsi + 256]           # A[8] ^ D[3]
    vpxor ymm8, ymm8, [rcx + 96]        # A[8] ^ D[3]
    vpxor ymm3, ymm3, ymm1              # χ 0,3
    vpxor ymm12, ymm12, ymm9            # χ 0,4
    vpsrlq ymm2, ymm2, 2                # B[4,0]: >> 2
    vmovdqu [rdi + 128], ymm12          # A′[4]
    vmovdqu [rdi + 96], ymm3            # A′[3]
    vmovdqu ymm9, [rsi + 480]           # A[15] ^ D[0]
    vpxor ymm9, ymm9, [rcx]             # A[15] ^ D[0]
    vpsllq ymm1, ymm8, 55               # B[4,1]: << 55
    vpsrlq ymm8, ymm8, 9                # B[4,1]: >> 9
    vpor ymm2, ymm2, ymm0               # B[4,0]
    vpsrlq ymm0, ymm9, 23               # B[4,3]: >> 23
    vpsllq ymm9, ymm9, 41               # B[4,3]: << 41
    vpor ymm8, ymm8, ymm1               # B[4,1]
    vpor ymm7, ymm7, ymm4               # B[4,4]
    vpsllq ymm1, ymm15, 39              # B[4,2]: << 39
    vpsrlq ymm15, ymm15, 25             # B[4,2]: >> 25
    vpor ymm0, ymm0, ymm9               # B[4,3]
    vpandn ymm9, ymm7, ymm2             # ~B[4,4] & B[4,0]
    vpor ymm15, ymm15, ymm1             # B[4,2]
    vpandn ymm1, ymm2, ymm8             # ~B[4,0] & B[4,1]
    vpxor ymm4, ymm6, [rsi + 704]       # A[22] ^ D[2]
    vpxor ymm9, ymm9, ymm0              # χ 4,3
    vmovdqu [rdi + 736], ymm9           # A′[23]
    vpxor ymm1, ymm1, ymm7              # χ 4,4
    vpandn ymm7, ymm0, ymm7             # ~B[4,3] & B[4,4]
    vpxor ymm3, ymm3, ymm9              # C′[3]
    vpxor ymm9, ymm11, [rsi + 512]      # A[16] ^ D[1]
    vmovdqu [rdi + 768], ymm1           # A′[24]
    vpandn ymm0, ymm15, ymm0            # ~B[4,2] & B[4,3]
    vpxor ymm12, ymm12, ymm1            # C′[4]
    vpsllq ymm1, ymm4, 61               # B[1,4]: << 61
    vpxor ymm7, ymm7, ymm15             # χ 4,2
    vmovdqu [rdi + 704], ymm7           # A′[22]
    vpandn ymm15, ymm8, ymm15           # ~B[4,1] & B[4,2]
    vpsrlq ymm4, ymm4, 3                # B[1,4]: >> 3
    vpxor ymm0, ymm0, ymm8              # χ 4,1
    vpxor ymm8, ymm14, [rsi + 288]      # A[9] ^ D[4]
    vmovdqu [rdi + 672], ymm0           # A′[21]
    vpxor ymm15, ymm15, ymm2            # χ 4,0
    vpsllq ymm2, ymm8, 20               # B[1,1]: << 20
    vpxor ymm5, ymm5, ymm7              # C′[2]
    vpxor ymm10, ymm10, ymm0            # C′[1]
    vmovdqu [rdi + 640], ymm15          # A′[20]
    vmovdqu ymm7, [rsi + 320]           # A[10] ^ D[0]
    vpxor ymm7, ymm7, [rcx]             # A[10] ^ D[0]
    vpxor ymm13, ymm13, ymm15           # C′[0]
    vpor ymm4, ymm4, ymm1               # B[1,4]
    vpsrlq ymm15, ymm9, 19              # B[1,3]: >> 19
    vpsllq ymm0, ymm7, 3                # B[1,2]: << 3
    vpsrlq ymm8, ymm8, 44               # B[1,1]: >> 44
    vmovdqu ymm1, [rsi + 96]            # A[3] ^ D[3]
    vpxor ymm1, ymm1, [rcx + 96]        # A[3] ^ D[3]
    vpor ymm8, ymm8, ymm2               # B[1,1]
    vpsrlq ymm7, ymm7, 61               # B[1,2]: >> 61
    vpsrlq ymm2, ymm1, 36               # B[1,0]: >> 36
    vpsllq ymm9, ymm9, 45               # B[1,3]: << 45
    vpsllq ymm1, ymm1, 28               # B[1,0]: << 28
    vpor ymm7, ymm7, ymm0               # B[1,2]
    vmovdqu ymm0, [rsi + 736]           # A[23] ^ D[3]
    vpxor ymm0, ymm0, [rcx + 96]        # A[23] ^ D[3]
    vpor ymm15, ymm15, ymm9             # B[1,3]
    vpor ymm2, ymm2, ymm1               # B[1,0]
    vpandn ymm9, ymm8, ymm7             # ~B[1,1] & B[1,2]
    vpxor ymm1, ymm6, [rsi + 544]       # A[17] ^ D[2]
    vpxor ymm9, ymm9, ymm2              # χ 1,0
    vpshufb ymm0, ymm0, [r9 + 32]       # B[3,4]
    vpxor ymm6, ymm6, [rsi + 224]       # A[7] ^ D[2]
    vmovdqu [rdi + 160], ymm9           # A′[5]
    vpxor ymm13, ymm13, ymm9            # C′[0]
    vpandn ymm9, ymm7, ymm15            # ~B[1,2] & B[1,3]
    vpxor ymm9, ymm9, ymm8              # χ 1,1
    vmovdqu [rdi + 192], ymm9           # A′[6]
    vpxor ymm10, ymm10, ymm9            # C′[1]
    vpandn ymm8, ymm2, ymm8             # ~B[1,0] & B[1,1]
    vpandn ymm9, ymm15, ymm4            # ~B[1,3] & B[1,4]
    vpandn ymm2, ymm4, ymm2             # ~B[1,4] & B[1,0]
    vpxor ymm8, ymm8, ymm4              # χ 1,4
    vpxor ymm9, ymm9, ymm7              # χ 1,2
    vpxor ymm7, ymm14, [rsi + 128]      # A[4] ^ D[4]
    vmovdqu [rdi + 224], ymm9           # A′[7]
    vmovdqu [rdi + 288], ymm8           # A′[9]
    vpxor ymm2, ymm2, ymm15             # χ 1,3
    vpsllq ymm15, ymm7, 27              # B[3,0]: << 27
    vmovdqu ymm4, [rsi + 160]           # A[5] ^ D[0]
    vpxor ymm4, ymm4, [rcx]             # A[5] ^ D[0]
    vpsrlq ymm7, ymm7, 37               # B[3,0]: >> 37
    vmovdqu [rdi + 256], ymm2           # A′[8]
    vpxor ymm3, ymm3, ymm2              # C′[3]
    vpsllq ymm2, ymm1, 15               # B[3,3]: << 15
    vpsrlq ymm1, ymm1, 49               # B[3,3]: >> 49
    vpxor ymm5, ymm5, ymm9              # C′[2]
    vpor ymm1, ymm1, ymm2               # B[3,3]
    vpsrlq ymm9, ymm4, 28               # B[3,1]: >> 28
    vpsllq ymm4, ymm4, 36               # B[3,1]: << 36
    vpxor ymm2, ymm11, [rsi + 352]      # A[11] ^ D[1]
    vpxor ymm12, ymm12, ymm8            # C′[4]
    vpor ymm7, ymm7, ymm15              # B[3,0]
    vpsllq ymm8, ymm2, 10               # B[3,2]: << 10
    vpxor ymm14, ymm14, [rsi + 608]     # A[19] ^ D[4]
    vpsrlq ymm2, ymm2, 54               # B[3,2]: >> 54
    vpor ymm9, ymm9, ymm4               # B[3,1]
    vmovdqu ymm15, [rsi + 640]          # A[20] ^ D[0]
    vpxor ymm15, ymm15, [rcx]           # A[20] ^ D[0]
    vmovdqu ymm4, [rsi + 416]           # A[13] ^ D[3]
    vpxor ymm4, ymm4, [rcx + 96]        # A[13] ^ D[3]
    vpor ymm2, ymm2, ymm8               # B[3,2]
    vpsrlq ymm8, ymm4, 39               # B[2,2]: >> 39
    vpxor ymm11, ymm11, [rsi + 32]      # A[1] ^ D[1]
    vpsllq ymm4, ymm4, 25               # B[2,2]: << 25
    vpor ymm8, ymm8, ymm4               # B[2,2]
    vpsrlq ymm4, ymm6, 58               # B[2,1]: >> 58
    vpsllq ymm6, ymm6, 6                # B[2,1]: << 6
    vpor ymm4, ymm4, ymm6               # B[2,1]
    vpaddq ymm6, ymm11, ymm11           # B[2,0]: << 1
    vpsrlq ymm11, ymm11, 63             # B[2,0]: >> 63
    vpshufb ymm14, ymm14, [r9]          # B[2,3]
    vpor ymm11, ymm11, ymm6             # B[2,0]
    vpandn ymm6, ymm2, ymm1             # ~B[3,2] & B[3,3]
    vpxor ymm6, ymm6, ymm9              # χ 3,1
    vmovdqu [rdi + 512], ymm6           # A′[16]
    vpxor ymm10, ymm10, ymm6            # C′[1]
    vpsllq ymm6, ymm15, 18              # B[2,4]: << 18
    vpsrlq ymm15, ymm15, 46             # B[2,4]: >> 46
    vpor ymm15, ymm15, ymm6             # B[2,4]
    vpandn ymm6, ymm7, ymm9             # ~B[3,0] & B[3,1]
    vpandn ymm9, ymm9, ymm2             # ~B[3,1] & B[3,2]
    vpxor ymm6, ymm6, ymm0              # χ 3,4
    vpxor ymm9, ymm9, ymm7              # χ 3,0
    vpandn ymm7, ymm0, ymm7             # ~B[3,4] & B[3,0]
    vpandn ymm0, ymm1, ymm0             # ~B[3,3] & B[3,4]
    vmovdqu [rdi + 480], ymm9           # A′[15]
    vmovdqu [rdi + 608], ymm6           # A′[19]
    vpxor ymm12, ymm12, ymm6            # C′[4]
    vpxor ymm7, ymm7, ymm1              # χ 3,3
    vpxor ymm13, ymm13, ymm9            # C′[0]
    vpxor ymm0, ymm0, ymm2              # χ 3,2
    vmovdqu [rdi + 544], ymm0           # A′[17]
    vmovdqu [rdi + 576], ymm7           # A′[18]
    vpxor ymm3, ymm3, ymm7              # C′[3]
    vpxor ymm5, ymm5, ymm0              # C′[2]
    vpandn ymm9, ymm14, ymm15           # ~B[2,3] & B[2,4]
    vpandn ymm6, ymm4, ymm8             # ~B[2,1] & B[2,2]
    vpandn ymm7, ymm11, ymm4            # ~B[2,0] & B[2,1]
    vpandn ymm1, ymm8, ymm14            # ~B[2,2] & B[2,3]
    vpxor ymm9, ymm9, ymm8              # χ 2,2
    vpxor ymm6, ymm6, ymm11             # χ 2,0
    vmovdqu [rdi + 384], ymm9           # A′[12]
    vmovdqu [rdi + 320], ymm6           # A′[10]
    vpxor ymm7, ymm7, ymm15             # χ 2,4
    vpxor ymm0, ymm13, ymm6             # C′[0]
    vpxor ymm1, ymm1, ymm4              # χ 2,1
    vpandn ymm15, ymm15, ymm11          # ~B[2,4] & B[2,0]
    vmovdqu [rdi + 352], ymm1           # A′[11]
    vmovdqu [rdi + 448], ymm7           # A′[14]
    vpxor ymm15, ymm15, ymm14           # χ 2,3
    vpxor ymm4, ymm12, ymm7             # C′[4]
    vpxor ymm2, ymm5, ymm9              # C′[2]
    vpxor ymm1, ymm10, ymm1             # C′[1]
    vmovdqu [rdi + 416], ymm15          # A′[13]
    vpxor ymm3, ymm3, ymm15             # C′[3]
    add rdx, 64
    dec eax
    jnz 2b
    vzeroupper
