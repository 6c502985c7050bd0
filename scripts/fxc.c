/* Compiles HLSL by FXC, as wgpu does on Windows where it finds no DXC: a line for each file, with milliseconds, and the first error. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

typedef struct Blob Blob;
struct Blob {
    struct {
        HRESULT(WINAPI *query)(Blob *, void *, void **);
        ULONG(WINAPI *add)(Blob *);
        ULONG(WINAPI *release)(Blob *);
        const char *(WINAPI *text)(Blob *);
        SIZE_T(WINAPI *size)(Blob *);
    } *table;
};
typedef HRESULT(WINAPI *Compile)(
    const void *, SIZE_T, const char *, const void *, void *, const char *, const char *, UINT, UINT, Blob **, Blob **);

/* D3DCOMPILE_ENABLE_STRICTNESS */
static const UINT STRICTNESS = 1 << 11;

static char *read_whole(const char *path, long *size) {
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    fseek(file, 0, SEEK_END);
    *size = ftell(file);
    rewind(file);
    char *text = malloc(*size);
    *size = (long)fread(text, 1, *size, file);
    fclose(file);
    return text;
}

static void print_error(Blob *errors) {
    const char *error = errors ? strstr(errors->table->text(errors), "error X") : NULL;
    for (int i = 0; error && error[i] && error[i] != '\n' && i < 200; i++) putchar(error[i]);
}

int main(int count, char **paths) {
    HMODULE library = LoadLibraryA("d3dcompiler_47.dll");
    Compile compile = library ? (Compile)GetProcAddress(library, "D3DCompile") : NULL;
    if (!compile) return fprintf(stderr, "d3dcompiler_47.dll has no D3DCompile\n"), 2;
    int refused = 0;
    for (int i = 1; i < count; i++) {
        long size;
        char *text = read_whole(paths[i], &size);
        if (!text) return fprintf(stderr, "%s cannot be read\n", paths[i]), 2;
        Blob *code = NULL, *errors = NULL;
        DWORD begin = GetTickCount();
        HRESULT result = compile(text, size, paths[i], NULL, NULL, "main", "cs_5_1", STRICTNESS, 0, &code, &errors);
        printf("%lu %s %s ", (unsigned long)(GetTickCount() - begin), result ? "refused" : "compiled", paths[i]);
        if (result) print_error(errors), refused = 1;
        putchar('\n');
        free(text);
    }
    return refused;
}
