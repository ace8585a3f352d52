// Package faults lets operations on files fail: those of the build's own file system in this process, and those of C libraries in
// another one.
package faults

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"quartier/build/publish"
)

// Files is a file system of which one operation fails.
type Files struct {
	At     int    // the operation, from 1
	Err    error  // how it fails
	Silent bool   // all writes are done by half, and no operation fails: what a check must find
	Count  int    // operations so far
	Failed string // what failed; "": nothing
}

func (f *Files) fail(what string) error {
	if f.Count++; f.Count != f.At {
		return nil
	}
	f.Failed = what
	return &os.PathError{Op: what, Path: "planted", Err: f.Err}
}

// System is publish.OS with the fault. A short write writes the first half.
func (f *Files) System() *publish.FileSystem {
	return &publish.FileSystem{
		Write: func(path string, data []byte) error {
			if err := f.fail("write " + filepath.Base(path)); err != nil {
				return errors.Join(err, os.WriteFile(path, data[:len(data)/2], 0o644))
			}
			return publish.OS.Write(path, data)
		},
		Sync: func(path string) error {
			if err := f.fail("sync " + filepath.Base(path)); err != nil {
				return err
			}
			return publish.OS.Sync(path)
		},
		Rename: func(from, to string) error {
			if err := f.fail("rename " + filepath.Base(to)); err != nil {
				return err
			}
			return publish.OS.Rename(from, to)
		},
		Exchange: func(a, b string) error {
			if err := f.fail("exchange " + filepath.Base(b)); err != nil {
				return err
			}
			return publish.OS.Exchange(a, b)
		},
	}
}

// Operations of libraries that can fail, and how: 0 is done by half.
var (
	Operations = []string{"write", "sync", "read"}
	Errors     = []syscall.Errno{syscall.ENOSPC, syscall.EIO, 0}
)

//go:embed fault.c.txt
var source []byte

// ErrNoCompiler is returned where there is no C compiler.
var ErrNoCompiler = errors.New("no C compiler")

// Library is the library that fails operations of SQLite, SpatiaLite and DuckDB in a process.
type Library struct{ path, dir string }

// Compile compiles the library in a folder.
func Compile(dir string) (*Library, error) {
	compiler, err := exec.LookPath("cc")
	if err != nil {
		return nil, ErrNoCompiler
	}
	text, path := filepath.Join(dir, "fault.c"), filepath.Join(dir, "fault.so")
	if err := os.WriteFile(text, source, 0o644); err != nil {
		return nil, err
	}
	if out, err := exec.Command(compiler, "-shared", "-fPIC", "-O2", "-o", path, text, "-ldl").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	return &Library{path, dir}, nil
}

// Run runs a program of which an operation on files below a folder fails: that of a number from 1, 0 for none. counted is the
// number of operations, if none fails.
func (l *Library) Run(cmd *exec.Cmd, under, op string, at int, errno syscall.Errno) (counted int, out []byte, err error) {
	counter := filepath.Join(l.dir, "count")
	os.Remove(counter)
	cmd.Env = append(cmd.Environ(), "LD_PRELOAD="+l.path, "FAULT_UNDER="+under, "FAULT_OP="+op, fmt.Sprintf("FAULT_AT=%d", at),
		fmt.Sprintf("FAULT_ERRNO=%d", int(errno)))
	if at == 0 {
		cmd.Env = append(cmd.Env, "FAULT_COUNT="+counter)
	}
	out, err = cmd.CombinedOutput()
	if data, readErr := os.ReadFile(counter); readErr == nil {
		counted, _ = strconv.Atoi(string(data))
	}
	return counted, out, err
}

// Digest is that of the files of a folder.
func Digest(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s %x\n", e.Name(), sha256.Sum256(data))
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}
