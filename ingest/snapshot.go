package ingest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// ErrChangedMeanwhile is the error of a file that changed after the build was planned, so that nobody knows what was read.
var ErrChangedMeanwhile = errors.New("input changed during the build")

// Snapshot is what the files of a source contain, and the state in which they were then.
type Snapshot struct {
	SHA256 string // as Digest returns it
	Bytes  int64
	Rows   int64       // that the headers of the files say, of kinds that are source.Counted; 0: not known
	states []fileState // before the files were read for SHA256, ordered by name
}

// fileState distinguishes versions of a file without reading it. Only a file of the same content is compared by
// it: one that is written again with the same bytes was incomplete for a time.
type fileState struct {
	path     string
	size     int64
	modified time.Time
	identity os.FileInfo // of os.SameFile
}

func (a fileState) equal(b fileState) bool {
	return a.path == b.path && a.size == b.size && a.modified.Equal(b.modified) && os.SameFile(a.identity, b.identity)
}

// TakeSnapshot reads the files of a source once. The error wraps ErrMissing if they do not exist.
func TakeSnapshot(ctx context.Context, path string) (s Snapshot, err error) {
	if s.states, err = statesOf(path); err != nil {
		return Snapshot{}, err
	}
	s.SHA256, s.Bytes, err = Digest(ctx, path)
	return s, err
}

// Snapshots returns those of the sources of a region, in their order.
func Snapshots(ctx context.Context, region *Region) ([]Snapshot, error) {
	list := make([]Snapshot, len(region.Sources))
	for i := range region.Sources {
		var err error
		if list[i], err = TakeSnapshot(ctx, region.Sources[i].Path); err != nil {
			return nil, fmt.Errorf("source %s: %w", region.Sources[i].ID, err)
		}
	}
	return list, nil
}

// check returns an ErrChangedMeanwhile where the files are not those of the snapshot any more: then what was read since
// may be neither the old nor the new content. It reads the files a second time, after the reader of their kind.
func (s Snapshot) check(ctx context.Context, path string) error {
	now, err := TakeSnapshot(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", ErrChangedMeanwhile, err)
	} else if err != nil {
		return err
	}
	after, err := statesOf(path)
	if err != nil {
		return err
	}
	same := slices.EqualFunc(s.states, after, fileState.equal)
	switch {
	case now.SHA256 != s.SHA256:
		return fmt.Errorf("%w: %s: sha256 was %s and is %s", ErrChangedMeanwhile, s.firstChanged(path, after), s.SHA256, now.SHA256)
	case !same:
		return fmt.Errorf("%w: %s was written again with the same content", ErrChangedMeanwhile, s.firstChanged(path, after))
	}
	return nil
}

// firstChanged returns the first file whose state differs; the path of the source if there is none.
func (s Snapshot) firstChanged(path string, after []fileState) string {
	for i, state := range after {
		if i >= len(s.states) || !s.states[i].equal(state) {
			return state.path
		}
	}
	return path
}

func statesOf(path string) ([]fileState, error) {
	members, err := membersOf(path)
	if err != nil {
		return nil, err
	}
	states := make([]fileState, len(members))
	for i, member := range members {
		info, err := os.Stat(member)
		if err != nil {
			return nil, missing(err)
		}
		states[i] = fileState{member, info.Size(), info.ModTime(), info}
	}
	return states, nil
}
