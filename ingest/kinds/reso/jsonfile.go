package reso

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"quartier/ingest/source"
)

// jsonFile finds the records of a JSON file: lines, an array, or pages with the records in "value". Lines that are no JSON
// are records too, which the decoder rejects; any other file with wrong JSON breaks off there.
type jsonFile struct {
	in     *bufio.Reader
	limits source.Limits
	emit   func(*chunk) error

	text  []byte // of the records of the chunk
	ends  []int
	count int64 // of the records before the chunk
	found bool  // a value, even one without records
}

// chunkBytes is the size from which a chunk is passed on, whatever the number of its records.
const chunkBytes = 4 << 20

var errBreaksOff = errors.New("the JSON breaks off")

// each passes the records in chunks.
func (j *jsonFile) each(ctx context.Context, emit func(*chunk) error) error {
	j.emit = emit
	var err error
	if j.isLines() {
		err = j.lines(ctx)
	} else {
		err = j.documents(ctx)
	}
	if flushed := j.flush(); flushed != nil {
		return flushed
	}
	if err == nil && !j.found {
		err = errEmpty
	}
	return err
}

// end ends a record, whose bytes were appended to text.
func (j *jsonFile) end() error {
	j.ends, j.found = append(j.ends, len(j.text)), true
	if len(j.ends) < chunkRows && len(j.text) < chunkBytes {
		return nil
	}
	return j.flush()
}

func (j *jsonFile) flush() error {
	kept := 0
	if len(j.ends) > 0 {
		kept = j.ends[len(j.ends)-1]
	}
	if kept == 0 {
		return nil
	}
	c := &chunk{first: j.count + 1, json: cut(string(j.text[:kept]), j.ends)}
	j.count += int64(len(j.ends))
	j.text, j.ends = j.text[:0], j.ends[:0]
	return j.emit(c)
}

// isLines reports whether each line is a record: the first one is, or the second one begins as one.
func (j *jsonFile) isLines() bool {
	head, _ := j.in.Peek(j.in.Size())
	head = bytes.TrimLeft(head, " \t\r\n")
	first, rest, more := bytes.Cut(head, []byte("\n"))
	if len(first) == 0 || first[0] != '{' || !more && len(head) >= j.in.Size()/2 {
		return false
	}
	if page := jsonPage(string(first)); page {
		return false
	}
	s := jsonScanner{text: string(first)}
	if s.value(0) == nil && s.blank() {
		return true
	}
	return bytes.HasPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("{"))
}

// jsonPage reports whether a text begins as a page: an object with an array "value" beside names with @ or nothing.
func jsonPage(text string) bool {
	s := jsonScanner{text: text, at: 1}
	for {
		s.space()
		name, err := s.string()
		if err != nil {
			return false
		}
		s.space()
		if !s.take(':') {
			return false
		}
		s.space()
		if name == "value" {
			return s.take('[')
		}
		if !strings.HasPrefix(name, "@") || s.value(0) != nil {
			return false
		}
		s.space()
		if !s.take(',') {
			return false
		}
	}
}

// lines reads a record from each line that is not blank.
func (j *jsonFile) lines(ctx context.Context) error {
	for {
		start := len(j.text)
		err := j.line()
		line := bytes.TrimSpace(j.text[start:])
		if err != nil && err != io.EOF {
			j.text = j.text[:start]
			return err
		}
		if err == io.EOF && len(line) > 0 {
			s := jsonScanner{text: string(line)}
			if s.value(0) != nil || !s.blank() {
				j.text = j.text[:start]
				return fmt.Errorf("%w in record %d, its last line", errBreaksOff, j.count+int64(len(j.ends))+1)
			}
		}
		if len(line) > 0 {
			if err := errors.Join(j.end(), ctx.Err()); err != nil {
				return err
			}
		} else {
			j.text = j.text[:start]
		}
		if err == io.EOF {
			return nil
		}
	}
}

// line appends a line to text; io.EOF with the last one.
func (j *jsonFile) line() error {
	start := len(j.text)
	for {
		part, err := j.in.ReadSlice('\n')
		j.text = append(j.text, part...)
		if int64(len(j.text)-start) > j.limits.Feature() {
			return j.limits.FeatureTooLarge(fmt.Sprintf("record %d", j.count+int64(len(j.ends))+1))
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// documents reads the records of one value of JSON or several in a row.
func (j *jsonFile) documents(ctx context.Context) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, err := j.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch c {
		case '[':
			err = j.array(ctx)
		case '{':
			err = j.object(ctx)
		default:
			err = fmt.Errorf("%q is neither an object nor an array of JSON", c)
		}
		if err == io.EOF {
			err = fmt.Errorf("%w behind record %d", errBreaksOff, j.count+int64(len(j.ends)))
		}
		if err != nil {
			return err
		}
		j.found = true
	}
}

// next returns the next byte that is no space.
func (j *jsonFile) next() (byte, error) {
	for {
		c, err := j.in.ReadByte()
		if err != nil || c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return c, err
		}
	}
}

// array reads the records of an array, behind its bracket.
func (j *jsonFile) array(ctx context.Context) error {
	for first := true; ; first = false {
		c, err := j.next()
		if err != nil {
			return err
		}
		if c == ']' {
			return nil
		}
		if !first {
			if c != ',' {
				return fmt.Errorf("%q where a comma is expected behind record %d", c, j.count+int64(len(j.ends)))
			}
			if c, err = j.next(); err != nil {
				return err
			}
		}
		start := len(j.text)
		if err := j.copyValue(c); err != nil {
			j.text = j.text[:start]
			return err
		}
		if err := errors.Join(j.end(), ctx.Err()); err != nil {
			return err
		}
	}
}

// object reads an object, behind its brace: a page if it has an array "value", else a record.
func (j *jsonFile) object(ctx context.Context) error {
	if err := j.flush(); err != nil {
		return err
	}
	j.text = append(j.text, '{')
	page := false
	for {
		c, err := j.next()
		if err != nil {
			j.text = j.text[:0]
			return err
		}
		if page = page || c == '[' && bytes.HasSuffix(bytes.TrimRight(j.text, " "), []byte(`"value":`)); page && c == '[' {
			j.text = j.text[:0]
			if err = j.array(ctx); err == nil {
				err = j.flush()
			}
			c = '0' // of the array; what follows is dropped
		} else if c != ':' && c != ',' && c != '}' {
			err = j.copyValue(c)
		}
		switch {
		case err != nil:
			j.text = j.text[:0]
			return err
		case c == '}' && page:
			j.text = j.text[:0]
			return nil
		case c == '}':
			j.text = append(j.text, '}')
			return j.end()
		case c == ':' || c == ',':
			j.text = append(j.text, c)
		}
	}
}

// copyValue appends a value that begins with a byte to text, up to its end. Whether it is valid is for the decoder to say.
func (j *jsonFile) copyValue(c byte) error {
	start, depth, quoted := len(j.text), 0, false
	for {
		j.text = append(j.text, c)
		if int64(len(j.text)-start) > j.limits.Feature() {
			return j.limits.FeatureTooLarge(fmt.Sprintf("record %d", j.count+int64(len(j.ends))+1))
		}
		switch {
		case quoted && c == '\\':
			c, err := j.in.ReadByte()
			if err != nil {
				return err
			}
			j.text = append(j.text, c)
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		next, err := j.in.ReadByte()
		if err != nil {
			return err
		}
		ended := depth <= 0 && !quoted && (c == '"' || c == '}' || c == ']' || next == ',' || next == '}' || next == ']' || next == ':' ||
			next == ' ' || next == '\n' || next == '\r' || next == '\t')
		if ended {
			return j.in.UnreadByte()
		}
		c = next
	}
}

// checkJSON reads the first records of a file and reports one without any field that is read.
func (m *mapping) checkJSON(ctx context.Context, j *jsonFile) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	errEnough := errors.New("enough")
	err := j.each(ctx, func(c *chunk) error {
		cells := make([]string, len(m.slots.names))
		r := jsonRecord{slots: &m.slots, known: map[string]int{}}
		for _, text := range c.json {
			if r.read(text, cells) == nil && strings.Join(cells, "") != "" {
				return errEnough
			}
		}
		return fmt.Errorf("none of its first %d records has a field that is read; the option columns maps fields of other names", len(c.json))
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}
