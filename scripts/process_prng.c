/* What Wine before 9 lacks of Windows' bcryptprimitives.dll, and the standard library of Rust calls. */
#include <windows.h>

#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return RtlGenRandom(data, (ULONG)length); }
