package serve_test

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
)

// answerReader reads HTTP answers with a Content-Length at little cost.
type answerReader struct{ in *bufio.Reader }

func newAnswerReader(r io.Reader) *answerReader { return &answerReader{bufio.NewReaderSize(r, 64<<10)} }

// next reads one answer and returns the length of its body.
func (a *answerReader) next() (int, error) {
	length := 0
	for {
		line, err := a.in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(line) <= 2 {
			return a.in.Discard(length)
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, err
			}
		}
	}
}
