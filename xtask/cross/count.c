/* A plugin for qemu-user (-plugin): before each write to the standard output it prints how many
 * instructions the program has run so far. Build: gcc -shared -fPIC -o libcount.so count.c
 *
 * The declarations are those of qemu's plugin interface, version 1, as far as they are needed;
 * distributions ship qemu without its header. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
enum { ADD_U64 = 0 };

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id, void (*callback)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(
    struct qemu_plugin_tb *tb, int operation, void *counter, uint64_t by);
extern void qemu_plugin_register_vcpu_syscall_cb(
    qemu_plugin_id_t id,
    void (*callback)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                     uint64_t, uint64_t, uint64_t, uint64_t));

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t instructions;

/* Adds the length of a block each time that the block runs. */
static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_inline(tb, ADD_U64, &instructions, qemu_plugin_tb_n_insns(tb));
}

/* `write` has number 64 on AArch64. */
static void system_call(qemu_plugin_id_t id, unsigned cpu, int64_t number, uint64_t file, uint64_t b,
                        uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id, (void)cpu, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;
    if (number == 64 && file == 1) {
        printf("%" PRIu64 " ", instructions);
        fflush(stdout);
    }
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info,
                                                               int argc, char **argv)
{
    (void)info, (void)argc, (void)argv;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, system_call);
    return 0;
}
