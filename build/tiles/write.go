package tiles

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"quartier/internal/pmtiles"
)

// writeBand makes the tiles of a band and adds them to the archive, zoom by zoom.
func writeBand(ctx context.Context, in *Input, s *spool, number int, w *pmtiles.Writer) (err error) {
	b := s.bands[number]
	zooms := make([]*shelf, b.hi-b.lo+1)
	for i := range zooms {
		if zooms[i], err = newShelf(filepath.Join(in.Scratch, fmt.Sprintf("zoom%d.tiles", int(b.lo)+i))); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, zooms[i].close()) }()
	}
	blocks := s.list(number)
	create := func() *maker {
		return &maker{spool: s, several: len(in.Regions) > 1, zip: pmtiles.NewCompressor()}
	}
	err = inOrder(ctx, len(blocks), create, func(m *maker, i int) ([][]made, error) { return m.block(blocks[i]) }, func(tiles [][]made) error {
		for i, list := range tiles {
			for _, t := range list {
				if err := zooms[i].put(t); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, z := range zooms {
		if err := z.each(func(t made) error { return w.Add(t.id, t.run, t.data) }); err != nil {
			return err
		}
	}
	return nil
}

// inOrder does the work of n items on all processors and takes the results in the order of the items. At most two results
// for each processor wait.
func inOrder[W, T any](ctx context.Context, n int, create func() W, work func(w W, i int) (T, error), take func(T) error) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	processors := runtime.GOMAXPROCS(0)
	tickets := make(chan struct{}, 2*processors)
	results := make([]chan T, n)
	for i := range results {
		results[i] = make(chan T, 1)
	}
	var mu sync.Mutex
	next := 0
	var workers sync.WaitGroup
	for range processors {
		workers.Go(func() {
			w := create()
			for {
				select {
				case tickets <- struct{}{}:
				case <-ctx.Done():
					return
				}
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= n {
					return
				}
				result, err := work(w, i)
				if err != nil {
					stop(err)
					return
				}
				results[i] <- result
			}
		})
	}
	var err error
	for i := 0; i < n && err == nil; i++ {
		select {
		case result := <-results[i]:
			err = take(result)
			<-tickets
		case <-ctx.Done():
			err = context.Cause(ctx)
		}
	}
	stop(err)
	workers.Wait()
	return err
}

// shelf keeps the tiles of one zoom in a temporary file, until those of lower zooms are in the archive.
type shelf struct {
	file *os.File
	out  *bufio.Writer
	head []byte
}

func newShelf(path string) (*shelf, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	return &shelf{file: f, out: bufio.NewWriterSize(f, 1<<18)}, nil
}

func (s *shelf) close() error {
	return errors.Join(s.file.Close(), os.Remove(s.file.Name()))
}

func (s *shelf) put(t made) error {
	s.head = binary.AppendUvarint(s.head[:0], t.id)
	s.head = binary.AppendUvarint(s.head, uint64(t.run))
	s.head = binary.AppendUvarint(s.head, uint64(len(t.data)))
	if _, err := s.out.Write(s.head); err != nil {
		return err
	}
	_, err := s.out.Write(t.data)
	return err
}

// each calls visit for every tile in the order in which they were put.
func (s *shelf) each(visit func(made) error) error {
	if err := s.out.Flush(); err != nil {
		return err
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	in := bufio.NewReaderSize(s.file, 1<<18)
	var data []byte
	for {
		var t made
		id, err := binary.ReadUvarint(in)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		run, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		length, err := binary.ReadUvarint(in)
		if err != nil {
			return err
		}
		if uint64(cap(data)) < length {
			data = make([]byte, length)
		}
		t.id, t.run, t.data = id, uint32(run), data[:length]
		if _, err := io.ReadFull(in, t.data); err != nil {
			return err
		}
		if err := visit(t); err != nil {
			return err
		}
	}
}
