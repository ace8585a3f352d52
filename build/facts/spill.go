package facts

import (
	"bufio"
	"encoding/gob"
	"fmt"
	"io"
	"os"

	"quartier/schemas/profile"
)

// spill is a temporary file of the facts of geographies, in order.
type spill struct {
	file *os.File
	out  *bufio.Writer
	enc  *gob.Encoder
	dec  *gob.Decoder
}

func newSpill(dir string) (*spill, error) {
	file, err := os.CreateTemp(dir, "facts-*")
	if err != nil {
		return nil, err
	}
	s := &spill{file: file, out: bufio.NewWriterSize(file, 1<<20)}
	s.enc = gob.NewEncoder(s.out)
	return s, nil
}

func (s *spill) add(facts []profile.Fact) error {
	if err := s.enc.Encode(facts); err != nil {
		return fmt.Errorf("write %s: %w", s.file.Name(), err)
	}
	return nil
}

// rewind ends writing and begins reading.
func (s *spill) rewind() error {
	err := s.out.Flush()
	if err == nil {
		_, err = s.file.Seek(0, io.SeekStart)
	}
	s.dec = gob.NewDecoder(bufio.NewReaderSize(s.file, 1<<20))
	return err
}

func (s *spill) next() (facts []profile.Fact, err error) {
	if err := s.dec.Decode(&facts); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.file.Name(), err)
	}
	return facts, nil
}

func (s *spill) close() {
	s.file.Close()
	os.Remove(s.file.Name())
}
