/* Loaded before other libraries by scripts/test.sh, so that Mesa's software adapter compiles kernels in less than half the time.
 *
 * Mesa gives LLVM a kernel with every variable in memory and has it made a coroutine first, which is done in times that grow with the
 * product of variables and blocks (LLVM 15 makes a tree of dominators for each variable), and only then has variables put into
 * registers. Here variables come into registers and empty blocks go before that. What a kernel computes stays the same.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

typedef void *run_passes(void *module, const char *passes, void *machine, void *options);

/* The function of this name in the LLVM that the caller is linked with: that of a driver is not among the libraries of the program. */
static run_passes *of_the_caller(void *caller) {
    Dl_info in;
    void *library = dladdr(caller, &in) ? dlopen(in.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : 0;
    return library ? (run_passes *)dlsym(library, "LLVMRunPasses") : 0;
}

/* An error of LLVM, or none. */
void *LLVMRunPasses(void *module, const char *passes, void *machine, void *options) {
    run_passes *llvm = of_the_caller(__builtin_return_address(0));
    /* Those of Mesa that make coroutines. */
    if (!strcmp(passes, "default<O0>")) {
        void *error = llvm(module, "mem2reg,instsimplify,simplifycfg", machine, options);
        if (error) return error;
    }
    return llvm(module, passes, machine, options);
}
