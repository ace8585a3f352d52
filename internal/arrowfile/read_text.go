package arrowfile

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// sniffed is how much of a text is looked at before it is read.
const sniffed = 64 << 10

// Encodings are the names of encodings that CSV files may be read in.
var Encodings = []string{"utf-8", "utf-16", "cp1252", "latin-1"}

// textIn is a text of an encoding as UTF-8; of "", "utf-8" and "utf-16" as utf8Text finds it.
func textIn(in io.Reader, encoding string) (*bufio.Reader, error) {
	switch encoding {
	case "", "utf-8", "utf-16":
		return utf8Text(in)
	case "cp1252":
		return bufio.NewReaderSize(transform.NewReader(in, charmap.Windows1252.NewDecoder()), sniffed), nil
	case "latin-1":
		return bufio.NewReaderSize(transform.NewReader(in, charmap.ISO8859_1.NewDecoder()), sniffed), nil
	}
	return nil, fmt.Errorf("encoding %q is none of %s", encoding, strings.Join(Encodings, ", "))
}

// utf8Text is a text as UTF-8 without a byte order mark. UTF-16 is known by its mark, or by every other byte of the beginning
// being 0, as it is of ASCII.
func utf8Text(in io.Reader) (*bufio.Reader, error) {
	text := bufio.NewReaderSize(in, sniffed)
	begin, err := text.Peek(sniffed)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(begin, []byte("\xEF\xBB\xBF")):
		_, err := text.Discard(len("\xEF\xBB\xBF"))
		return text, err
	case bytes.HasPrefix(begin, []byte("\xFF\xFE")) || zerosAt(begin, 1):
		return decoded(text, unicode.LittleEndian), nil
	case bytes.HasPrefix(begin, []byte("\xFE\xFF")) || zerosAt(begin, 0):
		return decoded(text, unicode.BigEndian), nil
	}
	return text, nil
}

// zerosAt reports whether of the first pairs of bytes that at a position, 0 or 1, is 0 and the other is not.
func zerosAt(begin []byte, at int) bool {
	const pairs = 4
	if len(begin) < 2*pairs {
		return false
	}
	for i := range pairs {
		if begin[2*i+at] != 0 || begin[2*i+1-at] == 0 {
			return false
		}
	}
	return true
}

func decoded(text io.Reader, order unicode.Endianness) *bufio.Reader {
	return bufio.NewReaderSize(transform.NewReader(text, unicode.UTF16(order, unicode.UseBOM).NewDecoder()), sniffed)
}

// separators are those that cells can have between them, the likeliest first.
const separators = ",;\t|"

// separatorOf is the separator that the line of names has most often outside of quotes, which are those in which a name begins.
func separatorOf(begin []byte) byte {
	var count [256]int
	quoted := false
	for _, b := range begin {
		if b == '"' {
			quoted = !quoted
		}
		if (b == '\n' || b == '\r') && !quoted {
			break
		}
		if !quoted {
			count[b]++
		}
	}
	best := separators[0]
	for i := range len(separators) {
		if count[separators[i]] > count[best] {
			best = separators[i]
		}
	}
	return best
}
