/* Loaded before other libraries by scripts/test.sh, so that Mesa's software adapter compiles kernels in half the time.
 *
 * Mesa gives LLVM a kernel with every variable in memory and has it made a coroutine first, in a time that grows with the product of
 * variables and blocks (LLVM 15 makes a tree of dominators for each variable), and only then has variables put into registers. Here
 * variables come into registers and empty blocks go before that. What a kernel computes stays the same.
 *
 * And LLVM 15 goes over the blocks of a coroutine, in the order of their addresses, until nothing changes. Here blocks have rising
 * addresses: few turns do. Otherwise kernels now and then take minutes, when much memory has been used before.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

typedef void *run_passes(void *module, const char *passes, void *machine, void *options);

/* Bytes of a block in LLVM 15, and of all that there may be; others are where the C library has room. */
enum { BLOCK = 64 };
static const size_t ROOM = (size_t)1 << 33;
static char *_Atomic blocks;
static atomic_size_t used;

/* Only processes that compile have room for blocks. */
static void make_room(void) {
    if (atomic_load(&blocks)) return;
    char *room = mmap(0, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    char *none = 0;
    if (room != MAP_FAILED && !atomic_compare_exchange_strong(&blocks, &none, room)) munmap(room, ROOM);
}

/* operator new(size_t) */
void *_Znwm(size_t size) {
    char *room = size == BLOCK ? atomic_load(&blocks) : 0;
    if (room) {
        size_t at = atomic_fetch_add(&used, BLOCK);
        if (at + BLOCK <= ROOM) return room + at;
    }
    void *memory = malloc(size ? size : 1);
    if (!memory) abort();
    return memory;
}

/* operator delete(void *), and with a size. No block's place is used again. */
void _ZdlPv(void *memory) {
    char *room = atomic_load(&blocks);
    if (!room || (char *)memory < room || (char *)memory >= room + ROOM) free(memory);
}
void _ZdlPvm(void *memory, size_t size) {
    (void)size;
    _ZdlPv(memory);
}

/* The function of this name in the LLVM that the caller is linked with: that of a driver is not among the libraries of the program. */
static run_passes *of_the_caller(void *caller) {
    Dl_info in;
    void *library = dladdr(caller, &in) ? dlopen(in.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : 0;
    return library ? (run_passes *)dlsym(library, "LLVMRunPasses") : 0;
}

/* An error of LLVM, or none. */
void *LLVMRunPasses(void *module, const char *passes, void *machine, void *options) {
    run_passes *llvm = of_the_caller(__builtin_return_address(0));
    make_room();
    /* Those of Mesa that make coroutines. */
    if (!strcmp(passes, "default<O0>")) {
        void *error = llvm(module, "mem2reg,instsimplify,simplifycfg", machine, options);
        if (error) return error;
    }
    return llvm(module, passes, machine, options);
}
