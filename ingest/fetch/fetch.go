// Package fetch downloads one file with a given SHA-256, or the pages of a query of a Web API. The file appears under its
// final name only if it is complete and has that digest. This is the only package of the pipeline that opens the network. Interrupted
// downloads are resumed, in
// the same run or in the next one.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"quartier/ingest/fetch/overture"
	"quartier/ingest/source"
)

// Errors for errors.Is.
var (
	// ErrDigest is the error of a complete file with another digest; the message has both digests.
	ErrDigest = errors.New("wrong sha256")
	// ErrTooLarge is the error of a file larger than Request.MaxSize.
	ErrTooLarge = errors.New("file too large")
	// ErrBusy is the error of a destination to which another process is downloading.
	ErrBusy = errors.New("being fetched by another process")
)

// Request is one file to fetch.
type Request struct {
	URL     string // http or https, or of Overture (package overture)
	SHA256  string // of the file, 64 hex digits, either case
	Dest    string // final path, whose folder is created; Dest+".part" and Dest+".part.json" exist while the file is incomplete
	Size    int64  // of the file in bytes; 0: not known
	MaxSize int64  // limit in bytes; 0: none
}

// Progress is called with the bytes on disk and the total (-1: not known), often and from the goroutine of Get.
type Progress func(done, total int64)

// Get downloads r.URL to r.Dest. An existing file with the digest is kept; one with another digest is replaced when the
// download is complete. progress may be nil. Errors of the server (5xx, 408, 429) and interrupted or stalled connections
// are retried a limited number of times with increasing pauses. After an error or cancellation the bytes are kept in
// Dest+".part" for the next call, unless the digest is wrong.
func Get(ctx context.Context, r Request, progress Progress) error {
	if overture.Is(r.URL) {
		return standard.overture(ctx, r, progress)
	}
	return standard.get(ctx, r, progress)
}

// fetcher has the parameters that tests change.
type fetcher struct {
	client  *http.Client
	tries   int                             // consecutive, without at least minGain new bytes
	minGain int64                           // new bytes after which tries are counted from 1 again
	stall   time.Duration                   // maximum wait for the next bytes
	pause   func(attempt int) time.Duration // before attempt 2, 3 …
}

var standard = fetcher{
	client:  &http.Client{CheckRedirect: checkRedirect},
	tries:   6,
	minGain: 1 << 20,
	stall:   time.Minute,
	pause:   func(attempt int) time.Duration { return min(time.Second<<(attempt-2), 30*time.Second) },
}

const maxRedirects = 5

var errRedirect = errors.New("redirect refused")

func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return fmt.Errorf("%w: more than %d", errRedirect, maxRedirects)
	}
	if err := checkScheme(req.URL); err != nil {
		return fmt.Errorf("%w: %w", errRedirect, err)
	}
	if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return fmt.Errorf("%w: from https to http", errRedirect)
	}
	return nil
}

func checkScheme(u *url.URL) error {
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return fmt.Errorf("%s is not an http or https address", u.Redacted())
	}
	return nil
}

var hexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// check returns an error for an invalid request, and converts its digest to lower case.
func (r *Request) check() error {
	u, err := url.Parse(r.URL)
	if err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	if err := checkScheme(u); err != nil {
		return fmt.Errorf("fetch: %w", err)
	}
	r.SHA256 = strings.ToLower(r.SHA256)
	if !hexDigest.MatchString(r.SHA256) {
		return fmt.Errorf("fetch %s: sha256 %q is not 64 hex digits", u.Redacted(), r.SHA256)
	}
	if r.Dest == "" {
		return fmt.Errorf("fetch %s: no destination", u.Redacted())
	}
	if r.MaxSize > 0 && r.Size > r.MaxSize {
		return fmt.Errorf("fetch %s: %w: %d bytes, at most %d", u.Redacted(), ErrTooLarge, r.Size, r.MaxSize)
	}
	return nil
}

func (f fetcher) get(ctx context.Context, r Request, progress Progress) error {
	if err := r.check(); err != nil {
		return err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	if digest, _, err := source.DigestFile(ctx, r.Dest); err == nil && digest == r.SHA256 {
		return nil
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("fetch to %s: %w", r.Dest, err)
	}
	part, err := openPart(r)
	if err != nil {
		return fmt.Errorf("fetch to %s: %w", r.Dest, err)
	}
	defer part.close()
	if err := f.fill(ctx, r, part, progress); err != nil {
		return fmt.Errorf("fetch %s: %w", redacted(r.URL), err)
	}
	if err := part.publish(r.Dest); err != nil {
		return fmt.Errorf("fetch to %s: %w", r.Dest, err)
	}
	return nil
}

// fill downloads until the part is complete and has the digest. A part of several responses with a wrong digest is
// downloaded once more from the start, since a server may change the file or send wrong ranges.
func (f fetcher) fill(ctx context.Context, r Request, part *part, progress Progress) error {
	for round := 1; ; round++ {
		single, err := f.download(ctx, r, part, progress)
		if err != nil {
			return err
		}
		digest, _, err := source.DigestFile(ctx, part.path)
		if err != nil {
			return err
		}
		if digest == r.SHA256 {
			return nil
		}
		if err := part.reset(); err != nil {
			return err
		}
		if single || round == 2 {
			return fmt.Errorf("%w: got %s, want %s", ErrDigest, digest, r.SHA256)
		}
	}
}

// download repeats attempts until the part is complete. single reports whether one response had the entire file.
func (f fetcher) download(ctx context.Context, r Request, part *part, progress Progress) (single bool, err error) {
	highest := part.size
	for tries := 1; ; tries++ {
		single, err = f.attempt(ctx, r, part, progress)
		var again *retryError
		if err == nil || ctx.Err() != nil || !errors.As(err, &again) {
			return single, err
		}
		if part.size >= highest+f.minGain {
			highest, tries = part.size, 1
		}
		if tries >= f.tries {
			return false, fmt.Errorf("failed after %d tries: %w", tries, err)
		}
		if err := sleep(ctx, max(f.pause(tries+1), again.after)); err != nil {
			return false, err
		}
	}
}

func redacted(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "address"
	}
	return u.Redacted()
}
