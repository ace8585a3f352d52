// Package sorter sorts more records than there is memory for: it sorts as many as fit, writes them to a temporary file as a run,
// and merges the runs.
package sorter

import (
	"bufio"
	"container/heap"
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
			return fmt.Errorf("sort: %w", err)
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
func (s *Sorter) spill() error {
	if s.file == nil {
		file, err := os.CreateTemp(s.dir, ".sort-*")
		if err != nil {
			return err
		}
		s.file = file
		if err := os.Remove(file.Name()); err != nil {
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
		if _, err := out.Write(s.data[begin:after]); err != nil {
			return err
		}
	}
	s.ends = append(s.ends, end+int64(len(s.data)))
	s.data, s.begins = s.data[:0], s.begins[:0]
	return out.Flush()
}

// Each visits all records in order. The record is valid until visit returns. It is called once, after the last Add.
func (s *Sorter) Each(visit func(record []byte) error) error {
	if len(s.ends) == 0 {
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
	if err := s.spill(); err != nil {
		return fmt.Errorf("sort: %w", err)
	}
	s.data, s.begins = nil, nil
	return s.merge(visit)
}

// merge visits the records of all runs in order.
func (s *Sorter) merge(visit func(record []byte) error) error {
	runs := &runs{compare: s.compare}
	begin := int64(0)
	for _, end := range s.ends {
		r := &run{in: bufio.NewReaderSize(io.NewSectionReader(s.file, begin, end-begin), runBuffer)}
		more, err := r.next()
		if err != nil {
			return fmt.Errorf("sort: %w", err)
		}
		if more {
			runs.list = append(runs.list, r)
		}
		begin = end
	}
	heap.Init(runs)
	for len(runs.list) > 0 {
		first := runs.list[0]
		if err := visit(first.record); err != nil {
			return err
		}
		more, err := first.next()
		switch {
		case err != nil:
			return fmt.Errorf("sort: %w", err)
		case more:
			heap.Fix(runs, 0)
		default:
			heap.Pop(runs)
		}
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
	if err != nil {
		return false, err
	}
	r.record = slices.Grow(r.record[:0], int(length))[:length]
	_, err = io.ReadFull(r.in, r.record)
	return err == nil, err
}

// runs is a heap of runs by their next records.
type runs struct {
	list    []*run
	compare func(a, b []byte) int
}

func (r *runs) Len() int           { return len(r.list) }
func (r *runs) Less(i, j int) bool { return r.compare(r.list[i].record, r.list[j].record) < 0 }
func (r *runs) Swap(i, j int)      { r.list[i], r.list[j] = r.list[j], r.list[i] }
func (r *runs) Push(any)           { panic("runs are only taken off") }
func (r *runs) Pop() any {
	n := len(r.list) - 1
	r.list = r.list[:n]
	return nil
}
