package driver

/*
#cgo linux LDFLAGS: -Wl,--wrap=malloc
#include <stdlib.h>
#include <string.h>

#ifdef __APPLE__ // its linker cannot wrap, but takes what the program defines for what the program calls
void *malloc(size_t size) { return calloc(1, size); }
#else
void *__wrap_malloc(size_t size) { return calloc(1, size); }
#endif

static int reused_is_zero(size_t size) {
	unsigned char *volatile p = malloc(size);
	memset(p, 0xff, size);
	free(p);
	p = malloc(size);
	int zero = 1;
	for (size_t i = 0; i < size; i++) zero &= p[i] == 0;
	free(p);
	return zero;
}
*/
import "C"

// The driver (v1.8.2, mallocTypeSlice) stores pointers into memory from C.malloc that it does not clear first. While the
// garbage collector marks, such a store reads the old value too; where that is a stale Go pointer the program ends with
// "found bad pointer in Go heap" (https://pkg.go.dev/cmd/cgo#hdr-Passing_pointers). So the linker replaces malloc by
// calloc in every program that links this package.

// mallocIsZeroed reports whether a block of memory that was freed with other contents is zero when it is used again.
func mallocIsZeroed(size int) bool { return C.reused_is_zero(C.size_t(size)) == 1 }
