package pack

import (
	"bufio"
	"os"
	"slices"
	"syscall"
)

// Spool is a temporary file for texts that are written in one order and read in another. It has no name, so that it
// disappears when it is closed.
type Spool struct {
	file   *os.File
	out    *bufio.Writer
	size   int64
	buffer []byte
}

// NewSpool makes a spool in dir ("" for the system's folder of temporary files).
func NewSpool(dir string) (*Spool, error) {
	file, err := createUnlinked(dir)
	if err != nil {
		return nil, err
	}
	return &Spool{file: file, out: bufio.NewWriterSize(file, 1<<18)}, nil
}

// createUnlinked makes a temporary file without a name.
func createUnlinked(dir string) (*os.File, error) {
	file, err := os.CreateTemp(dir, ".pack-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(file.Name()); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Close removes the spool. The second time it does nothing.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

// Append adds texts, one after the other, and returns their offset.
func (s *Spool) Append(texts ...[]byte) (at int64, err error) {
	if s.file == nil {
		return 0, os.ErrClosed
	}
	at = s.size
	for _, text := range texts {
		if _, err := s.out.Write(text); err != nil {
			return 0, err
		}
		s.size += int64(len(text))
	}
	return at, nil
}

// Flush must be called between the last Append and the first Read.
func (s *Spool) Flush() error {
	if s.file == nil {
		return os.ErrClosed
	}
	return s.out.Flush()
}

// Read is n bytes at an offset, valid until the next Read.
func (s *Spool) Read(at int64, n int) ([]byte, error) {
	s.buffer = slices.Grow(s.buffer[:0], n)[:n]
	_, err := s.ReadAt(s.buffer, at)
	return s.buffer, err
}

// ReadAt reads as an io.ReaderAt. It may be called by several goroutines.
func (s *Spool) ReadAt(to []byte, at int64) (int, error) { return s.file.ReadAt(to, at) }

// Map writes what was appended and maps it, read-only. It is valid until unmap is called, also when the spool is closed.
func (s *Spool) Map() (data []byte, unmap func() error, err error) {
	if err := s.Flush(); err != nil {
		return nil, nil, err
	}
	if s.size == 0 {
		return nil, func() error { return nil }, nil
	}
	data, err = syscall.Mmap(int(s.file.Fd()), 0, int(s.size), syscall.PROT_READ, syscall.MAP_SHARED)
	return data, func() error { return syscall.Munmap(data) }, err
}
