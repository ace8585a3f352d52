package release

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"sync"
	"syscall"
	"time"

	"quartier/internal/wholefile"
)

// record remembers which files were read and have a digest, so that a file that has not changed since is not read again, and
// the latest generation that was served, by this server or the next one. The zero value remembers until the server ends.
type record struct {
	path string // "": not kept

	mu   sync.Mutex
	read map[identity]string // SHA-256 by file
	last int64               // generation
}

// identity distinguishes files, and states of a file, without reading them. No program can set the time of the last change of
// the metadata, which every write renews.
type identity struct {
	Device   uint64 `json:"device"`
	Inode    uint64 `json:"inode"`
	Bytes    int64  `json:"bytes"`
	Modified int64  `json:"modified"` // nanoseconds
	Changed  int64  `json:"changed"`  // nanoseconds
}

// recorded is the content of the file of a record.
type recorded struct {
	Generation int64      `json:"generation"` // the latest that was served; 0: none with a pointer
	Files      []readFile `json:"files"`
}

// readFile is a file that was read.
type readFile struct {
	identity
	SHA256 string `json:"sha256"`
}

// restless is how long ago a file must have changed for its identity to be remembered: times of files are only as exact as
// the clock of the file system, 4 ms or a second, so that a later write could leave the same identity.
var restless = 2 * time.Second

// mostRecorded limits the files that are remembered. A release has twenty.
const mostRecorded = 1000

// openRecord reads the record that is kept at path. What cannot be read is not remembered.
func openRecord(path string) (*record, error) {
	r := &record{path: path, read: map[identity]string{}}
	if path == "" {
		return r, nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil
	}
	var kept recorded
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	for _, f := range kept.Files {
		r.read[f.identity] = f.SHA256
	}
	r.last = kept.Generation
	return r, err
}

// generation is the latest that was served; 0: none with a pointer.
func (r *record) generation() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// has reports whether a file was read in this state and had a digest.
func (r *record) has(info os.FileInfo, digest string) bool {
	id, ok := identityOf(info)
	r.mu.Lock()
	defer r.mu.Unlock()
	return ok && r.read[id] == digest
}

// add remembers that a file had a digest. info is its state before it was read.
func (r *record) add(info os.FileInfo, digest string, now time.Time) {
	id, ok := identityOf(info)
	if !ok || now.Sub(time.Unix(0, id.Changed)) < restless {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.read) < mostRecorded {
		r.read[id] = digest
	}
}

// keep writes the record with the files of a release alone, so that it does not grow, and its generation.
func (r *record) keep(packs []*packFile, generation int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = max(r.last, generation)
	var lines []readFile
	kept := map[identity]string{}
	for _, p := range packs {
		if id, ok := identityOf(*p.state.Load()); ok && r.read[id] == p.entry.SHA256 {
			kept[id] = p.entry.SHA256
			lines = append(lines, readFile{id, p.entry.SHA256})
		}
	}
	r.read = kept
	if r.path == "" {
		return nil
	}
	data, err := json.MarshalIndent(recorded{r.last, lines}, "", " ")
	if err != nil {
		return err
	}
	if old, err := os.ReadFile(r.path); err == nil && string(old) == string(data) {
		return nil
	}
	return wholefile.Replace(r.path, data, 0o600)
}

// identityOf is the identity of a file; false where the system does not know it.
func identityOf(info os.FileInfo) (identity, bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || changedAt(info) == 0 {
		return identity{}, false
	}
	return identity{uint64(stat.Dev), stat.Ino, info.Size(), info.ModTime().UnixNano(), changedAt(info)}, true
}
