package ingest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
	"quartier/internal/wholefile"
)

// ErrUnpinned is the error of a url of which nobody knows the right file.
var ErrUnpinned = errors.New("a url needs its sha256, here or in the lock beside the file, which `quartier fetch --pin` writes")

// Pin is what the file of a source was when it was fetched first.
type Pin struct {
	ID     string `yaml:"id"`             // of the source
	URL    string `yaml:"url"`            // of the source, without what gives access
	File   string `yaml:"file,omitempty"` // the publisher's name of the file, where neither url nor source has it
	SHA256 string `yaml:"sha256"`         // lower-case hex
	Bytes  int64  `yaml:"bytes"`
	Date   string `yaml:"date,omitempty"` // the publisher's, YYYY-MM-DDThh:mm:ssZ; absent: none was given
	ETag   string `yaml:"etag,omitempty"` // the publisher's; absent: none was given
}

// lockData is a lock, a file beside a region file.
type lockData struct {
	Sources []Pin `yaml:"sources"` // ordered by ID
}

// LockFile is the name of the lock of a region file.
func LockFile(region string) string { return region + ".lock" }

// ReadPins reads the lock of a region file; nil where there is none.
func ReadPins(region string) ([]Pin, error) {
	data, err := os.ReadFile(LockFile(region))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadRegion, err)
	}
	var lock lockData
	if err := source.DecodeYAML(data, &lock, "field"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBadRegion, err)
	}
	seen := map[string]bool{}
	for _, pin := range lock.Sources {
		if seen[pin.ID] || pin.URL == "" || !hexDigest.MatchString(pin.SHA256) || pin.File != "" && !plainName.MatchString(pin.File) {
			return nil, fmt.Errorf("%w: source %q of the lock occurs twice, or has no url, sha256 or right name of a file", ErrBadRegion, pin.ID)
		}
		seen[pin.ID] = true
	}
	return lock.Sources, nil
}

// WritePin replaces the pin of a source in the lock of a region file, or adds it; the lock is replaced at once, and processes
// that write it wait for each other.
func WritePin(region string, pin Pin) error {
	return editPins(region, func(pins []Pin) []Pin {
		return append(slices.DeleteFunc(pins, func(p Pin) bool { return p.ID == pin.ID }), pin)
	})
}

// Unpin removes the pins of sources from the lock of a region file, if there is one.
func Unpin(region string, ids ...string) error {
	if _, err := os.Stat(LockFile(region)); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return editPins(region, func(pins []Pin) []Pin {
		return slices.DeleteFunc(pins, func(p Pin) bool { return slices.Contains(ids, p.ID) })
	})
}

func editPins(region string, edit func([]Pin) []Pin) error {
	guard, err := os.Open(region)
	if err != nil {
		return err
	}
	defer guard.Close()
	if err := syscall.Flock(int(guard.Fd()), syscall.LOCK_EX); err != nil {
		return fmt.Errorf("lock %s: %w", region, err)
	}
	pins, err := ReadPins(region)
	if err != nil {
		return err
	}
	pins = edit(pins)
	slices.SortFunc(pins, func(a, b Pin) int { return cmp.Compare(a.ID, b.ID) })
	var text bytes.Buffer
	fmt.Fprintf(&text, "# The files of %s as they were when `quartier fetch --pin` fetched them first. Fetch and build take no others:\n"+
		"# remove the entry of a source, and fetch with --pin, to take what its publisher has.\n", filepath.Base(region))
	encoder := yaml.NewEncoder(&text)
	encoder.SetIndent(2)
	if err := errors.Join(encoder.Encode(lockData{pins}), encoder.Close()); err != nil {
		return err
	}
	return wholefile.Replace(LockFile(region), text.Bytes(), 0o644)
}

// obeyLock gives the sources of a region file their pins. A pin of another url is none, and where a source has a sha256 of its
// own, that is right.
func (r *Region) obeyLock() Faults {
	pins, err := ReadPins(r.File)
	if err != nil {
		return faultsOf(LockFile(r.File), err)
	}
	for i := range r.Sources {
		s := &r.Sources[i]
		at := slices.IndexFunc(pins, func(p Pin) bool { return p.ID == s.ID && p.URL == source.PublicURL(s.URL) })
		if at >= 0 && s.URL != "" && !s.IsQuery() && (s.SHA256 == "" || s.SHA256 == pins[at].SHA256) {
			s.Pin, s.SHA256 = &pins[at], pins[at].SHA256
			s.File = cmp.Or(s.File, pins[at].File)
		}
	}
	return nil
}

// FileName is the publisher's name of the file of a source with a URL, by which a person finds it: that of the source, or the
// last part of the URL.
func (s *Source) FileName() string {
	if s.File != "" {
		return s.File
	}
	u, err := url.Parse(s.URL)
	if err != nil {
		return path.Base(s.URL)
	}
	name := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r < ' ' || r == 0x7f {
			return '_'
		}
		return r
	}, path.Base(u.Path))
	return cmp.Or(strings.TrimLeft(name, "."), "file")
}
