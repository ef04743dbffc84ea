/* A plugin for qemu-user (-plugin): before each write to the standard output it prints how many
 * instructions the program has run so far; with the argument trace=on it prints instead a digest of
 * what it has done since the last write: which blocks ran, in which order, and each address that was
 * read or written. write=NUMBER is the system call's number. Build: gcc -shared -fPIC observe.c
 *
 * The declarations are those of qemu's plugin interface, version 1, as far as they are needed;
 * distributions ship qemu without its header. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { ADD_U64 = 0 };
enum { NO_REGISTERS = 0 };
enum { READ_OR_WRITE = 3 };

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(
    struct qemu_plugin_tb *tb, int operation, void *counter, uint64_t by);
extern void qemu_plugin_register_vcpu_tb_exec_cb(
    struct qemu_plugin_tb *tb, void (*callback)(unsigned, void *), int flags, void *data);
extern void qemu_plugin_register_vcpu_mem_cb(
    struct qemu_plugin_insn *insn, void (*callback)(unsigned, uint32_t, uint64_t, void *), int flags,
    int which, void *data);
extern void qemu_plugin_register_vcpu_syscall_cb(
    qemu_plugin_id_t id,
    void (*callback)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                     uint64_t, uint64_t, uint64_t, uint64_t));

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static int tracing;
static int64_t write_number = 64; /* on AArch64 and RISC-V */
static uint64_t instructions;
static uint64_t digest;

/* The order matters, and each step can be undone: two traces that differ in one place have
 * different digests. */
static void mix(uint64_t value)
{
    digest = (digest ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    digest ^= digest >> 29;
}

static void block(unsigned cpu, void *address)
{
    (void)cpu;
    mix((uintptr_t)address);
}

static void memory(unsigned cpu, uint32_t info, uint64_t address, void *data)
{
    (void)cpu, (void)info, (void)data;
    mix(address);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t n = qemu_plugin_tb_n_insns(tb);
    if (!tracing) {
        /* Adds the length of a block each time that the block runs. */
        qemu_plugin_register_vcpu_tb_exec_inline(tb, ADD_U64, &instructions, n);
        return;
    }
    void *address = (void *)(uintptr_t)qemu_plugin_tb_vaddr(tb);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, block, NO_REGISTERS, address);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        qemu_plugin_register_vcpu_mem_cb(insn, memory, NO_REGISTERS, READ_OR_WRITE, NULL);
    }
}

static void system_call(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t file, uint64_t b,
                        uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number != write_number || file != 1) {
        return;
    }
    if (tracing) {
        printf("%016" PRIx64 " ", digest);
        digest = 0;
    } else {
        printf("%" PRIu64 " ", instructions);
    }
    fflush(stdout);
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info,
                                                               int argc, char **argv)
{
    (void)info;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "trace=on") == 0) {
            tracing = 1;
        } else if (strncmp(argv[i], "write=", 6) == 0) {
            write_number = strtoll(argv[i] + 6, NULL, 10);
        } else {
            fprintf(stderr, "observe: what is %s?\n", argv[i]);
            return -1;
        }
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, system_call);
    return 0;
}
