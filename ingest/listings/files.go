package listings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"quartier/schemas/staged"
)

// file is a file of a source.
type file struct {
	source     *Source
	path       string
	row        staged.ListingFile
	unchanging bool // it was last written so long ago that another write would show in its state
}

// identity is the place of a file among the files of the listings.
type identity struct{ source, path string }

// restless is the time for which a file that was just written is not known by its state: clocks of file systems are
// coarse, and a second write may leave the same times.
const restless = 2 * time.Second

// list returns the files of all sources, in the order of the sources and by path.
func list(ctx context.Context, sources []Source) (all []*file, err error) {
	for i := range sources {
		s := &sources[i]
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		paths, err := s.Kind.Files(s.Input.Path)
		if err != nil {
			return nil, fmt.Errorf("source %s: %w", s.SourceID, err)
		}
		for _, path := range paths {
			f := &file{source: s, path: path}
			name, err := filepath.Rel(s.Input.Path, path)
			if err != nil || name == "." {
				name = filepath.Base(path)
			}
			f.row = staged.ListingFile{SourceID: s.SourceID, Position: s.Position, Path: filepath.ToSlash(name), Settings: settingsOf(s)}
			if f.row.State, f.unchanging, err = stateOf(path); err != nil {
				return nil, fmt.Errorf("source %s: %w", s.SourceID, err)
			}
			all = append(all, f)
		}
	}
	return all, nil
}

// settingsOf is the digest of what the rows of a source's files depend on beside the files.
func settingsOf(s *Source) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %d %q %q %q %q", s.SourceID, s.Position, s.Kind.Info().Kind, s.Input.Country, s.Input.State,
		s.Settings))
	return hex.EncodeToString(sum[:])
}

// stateOf distinguishes versions of a file without reading it: by size, times of its last writing and of the last change
// of its entry, device and number.
func stateOf(path string) (state string, unchanging bool, err error) {
	var info unix.Stat_t
	if err := unix.Stat(path, &info); err != nil {
		return "", false, &os.PathError{Op: "stat", Path: path, Err: err}
	}
	state = fmt.Sprintf("%d %d %d %d", info.Size, info.Mtim.Nano(), info.Ctim.Nano(), info.Ino)
	return state, time.Since(time.Unix(0, max(info.Mtim.Nano(), info.Ctim.Nano()))) > restless, nil
}

// unchanged returns an error if the file was written while it was read.
func (f *file) unchanged() error {
	state, _, err := stateOf(f.path)
	if err == nil && state != f.row.State {
		err = fmt.Errorf("%s: %w", f.path, errChanged)
	}
	return err
}
