package pack

import (
	"bytes"
	"fmt"

	"github.com/klauspost/compress/flate"
)

// Insert is a text of a mapped file that belongs into a longer one at an offset, and is sent from the file.
type Insert struct {
	At       int // in the text without any insert
	Text     []byte
	Deflated []byte // by Deflate
}

// Deflate compresses a text to blocks of RFC 1951 that can stand between those of other texts: they refer to nothing before
// them, end at a byte, and none of them is the last of a stream.
func Deflate(text []byte) ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Flush()
	}
	if err != nil {
		return nil, fmt.Errorf("deflate: %w", err)
	}
	return out.Bytes(), nil
}
