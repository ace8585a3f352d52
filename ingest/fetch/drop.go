package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// DropName is the name under which a file is looked for in the drop folder, if not under that of the publisher, whose ending
// may say nothing.
func (f File) DropName() string {
	if KnownEnding(f.Name) || f.Ending == "" {
		return f.Name
	}
	return f.ID + f.Ending
}

// ErrUnfinished is the error of a file that somebody still writes.
var ErrUnfinished = errors.New("it is still being written")

// dropError is the error of a file in the drop folder.
type dropError struct {
	path string
	err  error
}

func (d *dropError) Error() string { return fmt.Sprintf("%s is not right: %v", d.path, d.err) }
func (d *dropError) Unwrap() error { return d.err }

// fromDrop copies the file that a person put into the drop folder to r.Dest, if there is one, and checks it as one that comes from
// a server. The copy in the drop folder stays.
func (s *Session) fromDrop(ctx context.Context, f File, r Request) (got Got, found bool, err error) {
	if s.options.Drop == "" {
		return Got{}, false, nil
	}
	for _, name := range []string{f.DropName(), f.Name} {
		from := filepath.Join(s.options.Drop, name)
		file, err := os.Open(from)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			got, err = takeCopy(ctx, file, r)
			file.Close()
		}
		if err != nil {
			return Got{}, true, &dropError{from, err}
		}
		return got, true, nil
	}
	return Got{}, false, nil
}

// takeCopy copies a file and gives the copy its name if it is right.
func takeCopy(ctx context.Context, file *os.File, r Request) (Got, error) {
	before, err := file.Stat()
	if err != nil {
		return Got{}, err
	}
	if !before.Mode().IsRegular() {
		return Got{}, errors.New("it is no file")
	}
	if damage := damageOf(named{file, r.name()}, before.Size(), r.form()); damage != nil {
		return Got{}, damage
	}
	part, err := openPart(r)
	if err != nil {
		return Got{}, err
	}
	defer part.close()
	if err := part.reset(); err != nil {
		return Got{}, err
	}
	sum := sha256.New()
	buffer := make([]byte, 256<<10)
	for {
		if err := ctx.Err(); err != nil {
			return Got{}, errors.Join(err, part.reset())
		}
		n, err := file.Read(buffer)
		sum.Write(buffer[:n])
		if _, err := part.Write(buffer[:n]); err != nil {
			return Got{}, errors.Join(err, part.reset())
		}
		if err == io.EOF {
			break
		} else if err != nil {
			return Got{}, errors.Join(err, part.reset())
		}
	}
	got := Got{Version: Version{SHA256: hex.EncodeToString(sum.Sum(nil)), Bytes: part.size}}
	after, err := file.Stat()
	switch {
	case err != nil:
	case after.Size() != part.size || !after.ModTime().Equal(before.ModTime()):
		err = ErrUnfinished
	case r.SHA256 != "" && r.SHA256 != got.SHA256:
		err = &Changed{Was: r.pinned(), Is: got.Version}
	}
	if err != nil {
		return Got{}, errors.Join(err, part.reset())
	}
	if r.SHA256 != "" {
		got.Date, got.ETag = r.Pinned.Date, r.Pinned.ETag
	}
	return r.publish(part, got)
}
