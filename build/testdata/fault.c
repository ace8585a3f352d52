// A library that fails the k-th operation of a process on files below a folder, loaded before libc by LD_PRELOAD. It sees
// what C code does: SQLite, SpatiaLite and DuckDB. Environment:
//
//	FAULT_UNDER  the folder
//	FAULT_OP     "write", "sync" or "read"
//	FAULT_AT     k, from 1; 0 counts only
//	FAULT_ERRNO  the error; 0: the operation is done by half
//	FAULT_COUNT  file that has the number of operations so far; none: they are not written
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long count;

static int below(int fd) {
	const char *under = getenv("FAULT_UNDER");
	char link[64], path[4096];
	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof path - 1);
	if (!under || n <= 0) return 0;
	path[n] = 0;
	return strncmp(path, under, strlen(under)) == 0;
}

// fails reports whether this operation is the one, and sets errno.
static int fails(const char *op, int fd, int *half) {
	const char *want = getenv("FAULT_OP"), *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERRNO");
	if (!want || strcmp(want, op) != 0 || !below(fd)) return 0;
	long n = atomic_fetch_add(&count, 1) + 1;
	const char *counter = getenv("FAULT_COUNT");
	FILE *f = counter ? fopen(counter, "w") : NULL; // at once, because Go exits without destructors
	if (f) {
		fprintf(f, "%ld", n);
		fclose(f);
	}
	if (!at || n != atol(at)) return 0;
	int e = error ? atoi(error) : EIO;
	*half = e == 0;
	if (!*half) errno = e;
	return 1;
}

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define MOVES(op, name, type, params, args, half_args)                            \
	type name params {                                                            \
		int half = 0;                                                             \
		if (!fails(op, fd, &half)) return ORIGINAL(name) args;                    \
		return half && n > 1 ? ORIGINAL(name) half_args : -1;                     \
	}

MOVES("write", write, ssize_t, (int fd, const void *p, size_t n), (fd, p, n), (fd, p, n / 2))
MOVES("write", pwrite, ssize_t, (int fd, const void *p, size_t n, off_t o), (fd, p, n, o), (fd, p, n / 2, o))
MOVES("write", pwrite64, ssize_t, (int fd, const void *p, size_t n, off64_t o), (fd, p, n, o), (fd, p, n / 2, o))
MOVES("read", read, ssize_t, (int fd, void *p, size_t n), (fd, p, n), (fd, p, n / 2))
MOVES("read", pread, ssize_t, (int fd, void *p, size_t n, off_t o), (fd, p, n, o), (fd, p, n / 2, o))
MOVES("read", pread64, ssize_t, (int fd, void *p, size_t n, off64_t o), (fd, p, n, o), (fd, p, n / 2, o))

int fsync(int fd) {
	int half = 0;
	return fails("sync", fd, &half) && !half ? -1 : ORIGINAL(fsync)(fd);
}

int fdatasync(int fd) {
	int half = 0;
	return fails("sync", fd, &half) && !half ? -1 : ORIGINAL(fdatasync)(fd);
}
