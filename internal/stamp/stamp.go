// Package stamp records of what inputs files were made, so that a later run knows whether it may use them. A stamp is a
// JSON file; it is written after the files that it is about, and removed before they are written again:
//
//	{
//	 "inputs": [{"name": "source osm", "digest": "5f3f83af2a04026a…"}, {"name": "code of ingest/kinds/osm", "digest": "0c5f…"}, …],
//	 "files": [{"name": "us-or.staged.duckdb", "sha256": "e9aeb6848b7a8837…", "bytes": 21245952}]
//	}
//
// The files may be used while the inputs are the same and the files are as they were written. A run that is killed leaves
// files without a stamp, or files that are not those of their stamp; neither is used.
package stamp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Input is something that files depend on, with the digest of its value.
type Input struct {
	Name   string `json:"name"`
	Digest string `json:"digest"` // the first 32 hexadecimal digits of a SHA-256
}

// Of returns the input with a value. For example, Of("as-of", "2024-05-01").
func Of(name string, value ...string) Input {
	all := sha256.New()
	for _, v := range value {
		fmt.Fprintf(all, "%d:%s\n", len(v), v)
	}
	return Input{name, hex.EncodeToString(all.Sum(nil)[:16])}
}

// Inputs is everything that files depend on. Names are unique.
type Inputs []Input

// Digest is the same for the same inputs in the same order.
func (in Inputs) Digest() string {
	var all []string
	for _, i := range in {
		all = append(all, i.Name, i.Digest)
	}
	return Of("", all...).Digest
}

// Changes names the inputs that are not those of an earlier run: "source osm changed", "source gtfs added". It is empty
// only if the inputs are the same.
func (in Inputs) Changes(earlier Inputs) []string {
	var list []string
	old := map[string]string{}
	for _, i := range earlier {
		old[i.Name] = i.Digest
	}
	for _, i := range in {
		switch digest, found := old[i.Name]; {
		case !found:
			list = append(list, i.Name+" added")
		case digest != i.Digest:
			list = append(list, i.Name+" changed")
		}
		delete(old, i.Name)
	}
	for _, i := range earlier {
		if _, gone := old[i.Name]; gone {
			list = append(list, i.Name+" removed")
		}
	}
	if list == nil && !slices.Equal(in, earlier) {
		return []string{"order of inputs changed"}
	}
	return list
}

// File is a file as it was written.
type File struct {
	Name   string `json:"name"` // without its folder
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Stamp is the content of a stamp.
type Stamp struct {
	Inputs Inputs   `json:"inputs"`
	Files  []File   `json:"files,omitempty"`
	Notes  []string `json:"notes,omitempty"` // what the run has to say about the files
	Broken bool     `json:"-"`               // the stamp cannot be read
}

// New describes files that were made of inputs.
func New(ctx context.Context, in Inputs, files ...string) (*Stamp, error) {
	s := &Stamp{Inputs: in}
	for _, path := range files {
		sum, size, err := digest(ctx, path)
		if err != nil {
			return nil, err
		}
		s.Files = append(s.Files, File{filepath.Base(path), sum, size})
	}
	return s, nil
}

// Encode returns the stamp as the content of its file.
func (s *Stamp) Encode() ([]byte, error) {
	data, err := json.MarshalIndent(s, "", " ")
	return append(data, '\n'), err
}

// Read reads the stamp at path; nil if there is none.
func Read(path string) *Stamp {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	s := &Stamp{}
	if err != nil || json.Unmarshal(data, s) != nil || s.Inputs == nil {
		return &Stamp{Broken: true}
	}
	return s
}

// Verdict is whether files can be used.
type Verdict struct {
	Usable  bool
	Why     string // not; "" if they are usable
	Damaged bool   // a file or the stamp is not as it was written
}

// Check decides whether files may be used that are to be those of inputs. s may be nil.
func (s *Stamp) Check(ctx context.Context, in Inputs, files ...string) (Verdict, error) {
	if s == nil {
		return Verdict{Why: "not done yet"}, ctx.Err()
	}
	if s.Broken {
		return Verdict{Why: "its stamp cannot be read", Damaged: true}, ctx.Err()
	}
	if changes := in.Changes(s.Inputs); changes != nil {
		return Verdict{Why: Summary(changes)}, ctx.Err()
	}
	if len(files) != len(s.Files) {
		return Verdict{Why: "other files"}, ctx.Err()
	}
	for i, path := range files {
		sum, size, err := digest(ctx, path)
		if ctx.Err() != nil {
			return Verdict{}, ctx.Err()
		}
		name := filepath.Base(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return Verdict{Why: name + " is missing", Damaged: true}, nil
		case err != nil:
			return Verdict{Why: err.Error(), Damaged: true}, nil
		case s.Files[i] != File{name, sum, size}:
			return Verdict{Why: name + " is damaged: its digest is not the one that it was written with", Damaged: true}, nil
		}
	}
	return Verdict{Usable: true}, nil
}

// maxNamed is the number of changes that are named.
const maxNamed = 3

// Summary lists the first changes: "source osm changed, code of ingest changed and 4 more".
func Summary(changes []string) string {
	text := strings.Join(changes[:min(maxNamed, len(changes))], ", ")
	if more := len(changes) - maxNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// digest returns the SHA-256 and the size of a file.
func digest(ctx context.Context, path string) (string, int64, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	sum, total := sha256.New(), int64(0)
	for {
		if err := ctx.Err(); err != nil {
			return "", 0, err
		}
		n, err := io.CopyN(sum, file, 16<<20)
		total += n
		if err == io.EOF {
			return hex.EncodeToString(sum.Sum(nil)), total, nil
		}
		if err != nil {
			return "", 0, err
		}
	}
}
