// Package fetch brings one published file to the local disk. In goes a URL with the SHA-256 that the file must have;
// out comes that very file under its final name, or an error and no file. It is the only package of the pipeline that
// opens the network. A download that was cut is resumed, in the same run or in the next one.
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
)

// Errors that callers tell apart with errors.Is.
var (
	// ErrDigest says that the publisher's file is whole but not the one asked for; the message names both digests.
	ErrDigest = errors.New("wrong sha256")
	// ErrTooLarge says that the file is, or grew, larger than Request.MaxSize.
	ErrTooLarge = errors.New("file too large")
	// ErrBusy says that another process is fetching to the same place.
	ErrBusy = errors.New("being fetched by another process")
)

// Request is one file to fetch.
type Request struct {
	URL     string // http or https
	SHA256  string // of the file, 64 hex digits, either case
	Dest    string // final path, its folder is made; Dest+".part" and Dest+".part.json" stand beside it while the file is incomplete
	Size    int64  // bytes the file must have; 0: not known beforehand
	MaxSize int64  // bytes beyond which the download is given up; 0: no limit
}

// Progress is told how many bytes are on disk, and how many there will be (-1: the server does not say).
// It is called often and from the goroutine of Get.
type Progress func(done, total int64)

// Get fetches r.URL to r.Dest. A file that stands there with the right digest is left alone; one with another digest
// is replaced, but only once the right one has arrived whole. progress may be nil.
// Errors of the server (5xx, 408, 429) and cut or stalled connections are tried again, a bounded number of times and
// with growing pauses. After an error or a cancel the bytes that came stay in Dest+".part" for the next call, unless
// they were wrong.
func Get(ctx context.Context, r Request, progress Progress) error {
	return standard.get(ctx, r, progress)
}

// fetcher holds what tests set differently.
type fetcher struct {
	client  *http.Client
	tries   int                             // in a row without at least minGain new bytes
	minGain int64                           // new bytes after which the count of tries starts again
	stall   time.Duration                   // longest wait for the next bytes
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
		return fmt.Errorf("%s is no http or https address", u.Redacted())
	}
	return nil
}

var hexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// check refuses a request that cannot succeed and brings its digest to lower case.
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
	if digest, err := digestFile(ctx, r.Dest); err == nil && digest == r.SHA256 {
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

// fill downloads until the part is whole and has the digest. A part that was put together from several answers and
// comes out wrong is thrown away and fetched once more from its start, because a server may change the file or lie
// about ranges.
func (f fetcher) fill(ctx context.Context, r Request, part *part, progress Progress) error {
	for round := 1; ; round++ {
		whole, err := f.download(ctx, r, part, progress)
		if err != nil {
			return err
		}
		digest, err := digestFile(ctx, part.path)
		if err != nil {
			return err
		}
		if digest == r.SHA256 {
			return nil
		}
		if err := part.reset(); err != nil {
			return err
		}
		if whole || round == 2 {
			return fmt.Errorf("%w: got %s, want %s", ErrDigest, digest, r.SHA256)
		}
	}
}

// download repeats attempts until the part is complete. whole reports that a single answer brought all of it.
func (f fetcher) download(ctx context.Context, r Request, part *part, progress Progress) (whole bool, err error) {
	highest := part.size
	for tries := 1; ; tries++ {
		whole, err = f.attempt(ctx, r, part, progress)
		var again *retryError
		if err == nil || ctx.Err() != nil || !errors.As(err, &again) {
			return whole, err
		}
		if part.size >= highest+f.minGain {
			highest, tries = part.size, 1
		}
		if tries >= f.tries {
			return false, fmt.Errorf("given up after %d tries: %w", tries, err)
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(max(f.pause(tries+1), again.after)):
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
