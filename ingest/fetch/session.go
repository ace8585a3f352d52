package fetch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"quartier/ingest/source"
)

// ErrOffline is the error of a file that is neither in the cache nor in the drop folder nor in a folder that is the mirror.
var ErrOffline = errors.New("not here, and nothing is asked for offline")

// Origin is where a file was taken from.
type Origin string

// Origins of files.
const (
	FromCache   Origin = "cache"
	FromDrop    Origin = "drop"
	FromMirror  Origin = "mirror"
	FromNetwork Origin = "network"
	FromFTP     Origin = "ftp"
)

// Options are those of a Session.
type Options struct {
	Agent   string // by which servers know the program, such as "quartier/1.4 (+https://example.org/about)"; "": its name
	Cache   string // folder of downloaded files
	Drop    string // folder in which a person puts files that a publisher does not give to programs; "": none
	Mirror  string // address, or folder, that has the files of all hosts: https://HOST/PATH at MIRROR/HOST/PATH; "": none
	Offline bool   // take only what is in the cache, the drop folder, and a mirror that is a folder
	// is called with pauses that a server asks for, and once of a file that another process fetches, with 0; nil: nobody is
	Waiting func(d time.Duration, why error)
}

// Session fetches files, of several hosts at a time: it has one connection to each.
type Session struct {
	fetcher
	options   Options
	mirror    *mirror
	fallbacks []fallback
	busy      time.Duration // pause before it looks again whether another process is done with a file
}

// Open returns a session.
func Open(o Options) (*Session, error) {
	m, err := openMirror(o.Mirror)
	if err != nil {
		return nil, err
	}
	s := &Session{fetcher: newFetcher(cmp.Or(o.Agent, agentName), m), options: o, mirror: m, fallbacks: fallbacks,
		busy: 500 * time.Millisecond}
	if o.Waiting != nil {
		s.waiting = o.Waiting
	}
	return s, nil
}

// File is one that a Session gets.
type File struct {
	ID     string // of the source, for messages
	URL    string // http or https
	Page   string // where a person finds the file; "": not known
	Name   string // the publisher's
	Ending string // such as ".zip", where the name has none that is known; "": not known
	Pinned Version
	Dest   string // final path; "": in the cache, by digest and name
}

// Taken is a file that a Session got.
type Taken struct {
	Version
	Path string
	Name string // the publisher's; it has a known ending where the bytes have a known form
	From Origin
}

// mostBytes bounds what a server may send for a file.
const mostBytes = 200 << 30

// Get gets a file: it is at f.Dest, or in the cache, or is taken from the drop folder, the mirror or its publisher. It has the
// SHA-256 of f.Pinned unless that is empty. An error is a *Failure, or that of ctx. progress may be nil.
func (s *Session) Get(ctx context.Context, f File, progress Progress) (Taken, error) {
	taken, err := s.take(ctx, f, progress)
	if err != nil && ctx.Err() == nil {
		return Taken{}, &Failure{File: f, Drop: s.options.Drop, Mirror: source.PublicURL(s.options.Mirror), Err: err}
	}
	return taken, err
}

func (s *Session) take(ctx context.Context, f File, progress Progress) (Taken, error) {
	address := sha256.Sum256([]byte(redacted(f.URL)))
	r := Request{URL: f.URL, SHA256: f.Pinned.SHA256, Pinned: f.Pinned, MaxSize: mostBytes, Name: f.Name, Ending: f.Ending,
		Dest: cmp.Or(f.Dest, filepath.Join(s.options.Cache, fmt.Sprintf("new-%x-%s", address[:8], f.Name)))}
	if f.Dest == "" && f.Pinned.SHA256 != "" {
		r.Dest = filepath.Join(s.options.Cache, source.CacheName(f.Pinned.SHA256, f.Name))
	} else if f.Dest == "" {
		r.place = func(file io.ReaderAt, got Got) string {
			return filepath.Join(s.options.Cache, source.CacheName(got.SHA256, nameOf(file, r, got)))
		}
	}
	if err := r.check(); err != nil {
		return Taken{}, err
	}
	for reported := false; ; reported = true {
		taken, err := s.from(ctx, f, r, progress)
		if !errors.Is(err, ErrBusy) {
			return taken, err
		}
		if !reported {
			s.waiting(0, fmt.Errorf("%s: %w", f.Name, err))
		}
		if err := sleep(ctx, s.busy); err != nil { // then it is there, or the other process failed
			return Taken{}, err
		}
	}
}

// from looks at the places where a file may be, one after another.
func (s *Session) from(ctx context.Context, f File, r Request, progress Progress) (Taken, error) {
	if r.SHA256 != "" {
		digest, size, err := source.DigestFile(ctx, r.Dest)
		if err == nil && digest == r.SHA256 {
			v := f.Pinned
			v.Bytes = size
			return Taken{Version: v, Path: r.Dest, Name: f.Name, From: FromCache}, nil
		} else if err != nil && !errors.Is(err, os.ErrNotExist) {
			return Taken{}, err
		}
	}
	got, found, err := s.fromDrop(ctx, f, r)
	from := FromDrop
	if !found && err == nil {
		from = FromNetwork
		if s.mirror != nil {
			from = FromMirror
		}
		if s.options.Offline && (s.mirror == nil || s.mirror.folder == nil) {
			return Taken{}, ErrOffline
		}
		got, err = s.obtain(ctx, r, progress)
		if r.ftp = ftpAddress(s.fallbacks, r.URL); r.ftp != "" && s.mirror == nil && mayHelp(err) && ctx.Err() == nil {
			direct := err
			if got, err = s.obtain(ctx, r, progress); err == nil {
				from = FromFTP
			} else if !errors.Is(err, ErrDigest) && !errors.Is(err, ErrBusy) {
				err = &triedBoth{direct, err}
			}
		}
	}
	if err != nil {
		return Taken{}, err
	}
	if s.mirror != nil && s.mirror.folder != nil && from == FromMirror {
		got.Date, got.ETag = f.Pinned.Date, f.Pinned.ETag // those of its files are of copies
	}
	taken := Taken{Version: got.Version, Path: got.path, Name: f.Name, From: from}
	if r.place != nil {
		_, taken.Name, _ = strings.Cut(filepath.Base(got.path), "-") // behind the digest
	}
	return taken, nil
}

// triedBoth is the error of a file that neither of two ways brought. The first one decides what is to be done.
type triedBoth struct{ direct, ftp error }

func (t *triedBoth) Error() string { return fmt.Sprintf("%v; and by ftp: %v", t.direct, t.ftp) }

// Unwrap returns the errors of both ways.
func (t *triedBoth) Unwrap() []error { return []error{t.direct, t.ftp} }

// mayHelp reports whether another way to a file may bring it after an error.
func mayHelp(err error) bool {
	var refusal *Refusal
	var again *retryError
	return errors.As(err, &refusal) && refusal.Reason != Missing || errors.As(err, &again)
}

// nameOf is a name with an ending, for a file whose address may have none: that of the server, or one by its first bytes.
func nameOf(file io.ReaderAt, r Request, got Got) string {
	switch _, known := forms[r.Ending]; {
	case KnownEnding(r.Name):
		return r.Name
	case KnownEnding(got.Name):
		return got.Name
	case known:
		return r.Name + r.Ending
	}
	head := make([]byte, peekBytes)
	n, _ := file.ReadAt(head, 0)
	for _, ending := range []string{".zip", ".gz", ".parquet", ".pbf", ".tif", ".gpkg", ".json"} {
		if forms[ending].begins(head[:n]) {
			return r.Name + ending
		}
	}
	return r.Name
}

// Pages fetches the pages of a query as GetPages does, by way of the mirror.
func (s *Session) Pages(ctx context.Context, q Query, progress func(Fetched)) (Fetched, error) {
	if s.options.Offline && (s.mirror == nil || s.mirror.folder == nil) {
		return Fetched{}, ErrOffline
	}
	return pager{patient(s.fetcher)}.get(ctx, q, progress)
}

// Close ends the connections.
func (s *Session) Close() {
	if way, ok := s.client.Transport.(*road); ok {
		if t, ok := way.next.(*http.Transport); ok {
			t.CloseIdleConnections()
		}
	}
}
