/* Compiles HLSL by DXC for shader model 6.0, as strictly as wgpu asks, to DXIL, which DXC validates, or to SPIR-V beside the text, for Vulkan 1.1: a line for each file,
   with milliseconds, and the first error.

     dxc LIBRARY dxil|spirv FILES */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wchar.h>

typedef struct { uint32_t a; uint16_t b, c; uint8_t d[8]; } Id;
typedef struct { const void *text; size_t size; uint32_t encoding; } Source;

/* What every object of DXC begins with; outside Windows two destructors are part of that. */
#define UNKNOWN(T) \
    int32_t (*query)(T *, const Id *, void **); \
    uint32_t (*add)(T *); \
    uint32_t (*release)(T *); \
    void (*destroy)(T *); \
    void (*destroy_and_free)(T *)

typedef struct Blob Blob;
struct Blob { struct { UNKNOWN(Blob); const void *(*start)(Blob *); size_t (*size)(Blob *); } *table; };
typedef struct Result Result;
struct Result {
    struct {
        UNKNOWN(Result);
        int32_t (*status)(Result *, int32_t *);
        int32_t (*result)(Result *, Blob **);
        int32_t (*errors)(Result *, Blob **);
    } *table;
};
typedef struct Compiler Compiler;
struct Compiler {
    struct {
        UNKNOWN(Compiler);
        int32_t (*compile)(Compiler *, const Source *, const wchar_t **, uint32_t, void *, const Id *, void **);
    } *table;
};
typedef int32_t (*Create)(const Id *, const Id *, void **);

static const Id COMPILER = {0x73e22d93, 0xe6ce, 0x47f3, {0xb5, 0xbf, 0xf0, 0x66, 0x4f, 0x39, 0xc1, 0xb0}};
static const Id COMPILER_3 = {0x228b4687, 0x5a6a, 0x4730, {0x90, 0x0c, 0x97, 0x02, 0xb2, 0x20, 0x3f, 0x54}};
static const Id RESULT = {0x58346cda, 0xdde7, 0x4497, {0x94, 0x61, 0x6f, 0x87, 0xaf, 0x5e, 0x06, 0x59}};
static const uint32_t UTF_8 = 65001;

static char *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    *size = fread(text, 1, *size, file);
    fclose(file);
    return text;
}

static int write_whole(const char *hlsl, Blob *code) {
    char path[4096];
    snprintf(path, sizeof path, "%s", hlsl);
    char *dot = strrchr(path, '.');
    if (!dot) return 1;
    strcpy(dot, ".spv");
    FILE *file = fopen(path, "wb");
    size_t size = code->table->size(code);
    if (!file || fwrite(code->table->start(code), 1, size, file) != size) return 1;
    return fclose(file);
}

static void print_error(Result *result) {
    Blob *errors = NULL;
    result->table->errors(result, &errors);
    if (!errors || !errors->table->size(errors)) return;
    const char *text = errors->table->start(errors), *end = text + errors->table->size(errors);
    for (int i = 0; i < 300 && text + i < end && text[i] && text[i] != '\n'; i++) putchar(text[i]);
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int count, char **words) {
    if (count < 4) return fprintf(stderr, "dxc LIBRARY dxil|spirv FILES\n"), 2;
    void *library = dlopen(words[1], RTLD_NOW);
    Create create = library ? (Create)dlsym(library, "DxcCreateInstance") : NULL;
    Compiler *compiler = NULL;
    if (!create || create(&COMPILER, &COMPILER_3, (void **)&compiler) < 0)
        return fprintf(stderr, "%s: %s\n", words[1], library ? "no compiler" : dlerror()), 2;
    int spirv = strcmp(words[2], "spirv") == 0, refused = 0;
    const wchar_t *options[] = {
        L"-E", L"main", L"-T", L"cs_6_0", L"-HV", L"2018", L"-no-warnings", L"-Ges",
        L"-spirv", L"-fspv-target-env=vulkan1.1", L"-fvk-use-dx-layout"};
    for (int i = 3; i < count; i++) {
        Source source = {NULL, 0, UTF_8};
        source.text = read_whole(words[i], &source.size);
        if (!source.text) return fprintf(stderr, "%s cannot be read\n", words[i]), 2;
        Result *result = NULL;
        Blob *code = NULL;
        int32_t status = -1;
        double begin = milliseconds();
        if (compiler->table->compile(compiler, &source, options, spirv ? 11 : 8, NULL, &RESULT, (void **)&result) < 0)
            return fprintf(stderr, "DXC failed\n"), 2;
        result->table->status(result, &status);
        result->table->result(result, &code);
        int is_refused = status < 0 || !code || !code->table->size(code);
        printf("%.0f %s %s ", milliseconds() - begin, is_refused ? "refused" : "compiled", words[i]);
        if (is_refused) print_error(result), refused = 1;
        putchar('\n');
        if (!is_refused && spirv && write_whole(words[i], code))
            return fprintf(stderr, "the code of %s cannot be written\n", words[i]), 2;
        if (code) code->table->release(code);
        result->table->release(result);
        free((void *)source.text);
    }
    return refused;
}
