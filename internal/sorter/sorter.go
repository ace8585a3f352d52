// Package sorter sorts more records than there is memory for: it sorts as many as fit, writes them to a temporary file as a run,
// and merges the runs.
package sorter

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"slices"
)

// Sorter sorts records, each a sequence of bytes. Close must be called in the end.
type Sorter struct {
	compare func(a, b []byte) int
	dir     string
	room    int    // bytes of records in memory
	data    []byte // records in memory, each after its length
	begins  []int  // of each in data
	file    *os.File
	ends    []int64 // of the runs in file
}

// runBuffer is how many bytes of a run are read at once.
const runBuffer = 1 << 18

// New makes a sorter of records in the order of compare, equal ones in any order. It keeps about room bytes in memory, and its
// temporary file, which has no name, in dir ("" for the system's).
func New(dir string, room int, compare func(a, b []byte) int) *Sorter {
	return &Sorter{compare: compare, dir: dir, room: room}
}

// Close removes the temporary file.
func (s *Sorter) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	s.file = nil
	return err
}

// Add adds a record, which is copied.
func (s *Sorter) Add(record []byte) error {
	const ofBegin = 8 // bytes
	if need := len(s.data) + len(record) + binary.MaxVarintLen32 + ofBegin*len(s.begins); need > s.room && len(s.begins) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.begins = append(s.begins, len(s.data))
	s.data = append(binary.AppendUvarint(s.data, uint64(len(record))), record...)
	return nil
}

// at is the record that begins at an offset of data, and where it ends.
func (s *Sorter) at(begin int) (record []byte, end int) {
	length, n := binary.Uvarint(s.data[begin:])
	end = begin + n + int(length)
	return s.data[begin+n : end], end
}

func (s *Sorter) sort() {
	slices.SortFunc(s.begins, func(a, b int) int {
		one, _ := s.at(a)
		other, _ := s.at(b)
		return s.compare(one, other)
	})
}

// spill writes the records in memory to the file, as a run.
func (s *Sorter) spill() (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("sort: %w", err)
		}
	}()
	if s.file == nil {
		if s.file, err = os.CreateTemp(s.dir, ".sort-*"); err != nil {
			return err
		}
		if err := os.Remove(s.file.Name()); err != nil {
			return err
		}
	}
	s.sort()
	out, end := bufio.NewWriterSize(s.file, runBuffer), int64(0)
	if n := len(s.ends); n > 0 {
		end = s.ends[n-1]
	}
	for _, begin := range s.begins {
		_, after := s.at(begin)
		out.Write(s.data[begin:after]) // Flush returns the first error
	}
	s.ends = append(s.ends, end+int64(len(s.data)))
	s.data, s.begins = s.data[:0], s.begins[:0]
	return out.Flush()
}

// Each visits all records in order. The record is valid until visit returns. It is called once, after the last Add.
func (s *Sorter) Each(visit func(record []byte) error) error {
	if len(s.ends) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
		s.data, s.begins = nil, nil
		return s.merge(visit)
	}
	s.sort()
	for _, begin := range s.begins {
		record, _ := s.at(begin)
		if err := visit(record); err != nil {
			return err
		}
	}
	s.data, s.begins = nil, nil
	return nil
}

// merge visits the records of all runs in order.
func (s *Sorter) merge(visit func(record []byte) error) error {
	var runs []*run // in the order of their next records
	place := func(r *run, among []*run) (int, error) {
		more, err := r.next()
		if err != nil || !more {
			return -1, err
		}
		at, _ := slices.BinarySearchFunc(among, r, func(a, b *run) int { return s.compare(a.record, b.record) })
		return at, nil
	}
	begin := int64(0)
	for _, end := range s.ends {
		r := &run{in: bufio.NewReaderSize(io.NewSectionReader(s.file, begin, end-begin), runBuffer)}
		at, err := place(r, runs)
		if err != nil {
			return err
		}
		if at >= 0 {
			runs = slices.Insert(runs, at, r)
		}
		begin = end
	}
	for len(runs) > 0 {
		first := runs[0]
		if err := visit(first.record); err != nil {
			return err
		}
		at, err := place(first, runs[1:])
		if err != nil {
			return err
		}
		if at < 0 {
			runs = runs[1:]
			continue
		}
		copy(runs, runs[1:at+1])
		runs[at] = first
	}
	return nil
}

// run is a run that is read.
type run struct {
	in     *bufio.Reader
	record []byte
}

// next reads the next record; false: there is none.
func (r *run) next() (more bool, err error) {
	length, err := binary.ReadUvarint(r.in)
	if err == io.EOF {
		return false, nil
	}
	if err == nil {
		r.record = slices.Grow(r.record[:0], int(length))[:length]
		_, err = io.ReadFull(r.in, r.record)
	}
	if err != nil {
		return false, fmt.Errorf("sort: %w", err)
	}
	return true, nil
}
