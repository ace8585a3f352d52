package arrowfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/apache/arrow/go/v17/arrow"
)

// Join writes the rows of files that a Writer with the same schema and options has written as one file, row group by row
// group without encoding them again. Its metadata are those of the options.
func Join(ctx context.Context, path string, schema *arrow.Schema, o Options, parts []string) error {
	w, err := Create(path, schema, o)
	if err != nil {
		return err
	}
	defer w.Abort()
	if o.Format == CSV {
		err = w.joinTexts(ctx, parts)
	} else {
		err = w.joinGroups(ctx, parts)
	}
	if err != nil {
		return err
	}
	return w.Close(ctx)
}

func (w *Writer) joinGroups(ctx context.Context, parts []string) error {
	for _, path := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.joinFile(path); err != nil {
			return fmt.Errorf("join %s: %w", path, err)
		}
	}
	return nil
}

// joinFile appends the row groups of a file.
func (w *Writer) joinFile(path string) error {
	r, err := OpenRowGroups(path)
	if err != nil {
		return err
	}
	defer r.Close()
	if text := r.Described.KeyValueMetadata().FindValue(GeoKey); text != nil {
		e, err := extentOf(*text)
		if err != nil {
			return err
		}
		w.extent.merge(&e)
	}
	for n := range r.Described.RowGroups {
		groups, err := r.Groups([]int{n})
		if err == nil {
			err = w.encoder.add(part{groups: groups})
		}
		if err != nil {
			return err
		}
	}
	w.total += r.Described.GetNumRows()
	return nil
}

// joinTexts appends the lines of files after their line of names.
func (w *Writer) joinTexts(ctx context.Context, parts []string) error {
	header, err := w.encoder.(*csvEncoder).header()
	if err != nil {
		return err
	}
	for _, path := range parts {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := w.joinText(path, header); err != nil {
			return fmt.Errorf("join %s: %w", path, err)
		}
	}
	return nil
}

func (w *Writer) joinText(path string, header []byte) error {
	d, err := readDescription(path)
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	in := bufio.NewReaderSize(f, 1<<20)
	begin := make([]byte, len(header))
	if _, err := io.ReadFull(in, begin); err != nil || !bytes.Equal(begin, header) {
		return errors.New("it does not begin with the names of the columns")
	}
	n, err := io.Copy(w.sink, in)
	if n += int64(len(header)); err == nil && n != d.Bytes {
		err = fmt.Errorf("it has %d bytes, of the %d that were written", n, d.Bytes)
	}
	w.total += d.Rows
	return err
}
