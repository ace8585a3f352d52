// Package fetch gets the files of publishers and the pages of queries of Web APIs: from a cache, a folder in which a person puts
// them, a mirror, or the network. A file appears under its final name only if it is complete, is what its name says and has the
// right SHA-256, where one is known; what servers send in place of it is reported as what it is. This is the only package of the
// pipeline that opens the network. Interrupted downloads are resumed, in the same run or in the next one.
package fetch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"strings"
	"time"

	"quartier/ingest/fetch/overture"
	"quartier/ingest/fetch/whole"
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
	SHA256  string // of the file, 64 hex digits, either case; "": not known
	Dest    string // final path, whose folder is created; Dest+".part" and Dest+".part.json" exist while the file is incomplete
	Size    int64  // of the file in bytes; 0: not known
	MaxSize int64  // limit in bytes; 0: none
	Name    string // the publisher's name of the file, whose ending says what it must be; "": that of the URL
	Ending  string // such as ".zip", where the name has none that is known
	Pinned  Version
	ftp     string // address by which the file is asked for in place of URL; "": none
	// path of a file that was got, in place of Dest; nil: Dest
	place func(file io.ReaderAt, got Got) string
}

// Version is what is known of the content of a file.
type Version struct {
	SHA256 string // lower-case hex
	Bytes  int64
	Date   string // the publisher's, YYYY-MM-DDThh:mm:ssZ; "": none was given
	ETag   string // the publisher's; "": none was given
}

// String is such as "of 2026-01-02, 734 bytes, sha256 9f…".
func (v Version) String() string {
	text := "of " + cmp.Or(v.Date, "a date that is not known")
	if v.Bytes > 0 {
		text += fmt.Sprintf(", %d bytes", v.Bytes)
	}
	if v.SHA256 != "" {
		text += ", sha256 " + v.SHA256
	}
	return text
}

// Changed is the error of a file that is complete and of the right form, but not the one that is wanted. It is an ErrDigest.
type Changed struct{ Was, Is Version }

func (c *Changed) Error() string {
	return fmt.Sprintf("%v: the file has changed: it was %v; it is %v", ErrDigest, c.Was, c.Is)
}

// Unwrap returns ErrDigest.
func (c *Changed) Unwrap() error { return ErrDigest }

// Got is a file that was fetched.
type Got struct {
	Version
	Name string // that the server gave it; "": none
	path string
}

// Progress is called with the bytes on disk and the total (-1: not known), often and from the goroutine of Get.
type Progress func(done, total int64)

// Get downloads r.URL to r.Dest. An existing file with the digest is kept; one with another digest is replaced when the
// download is complete. progress may be nil. Errors of the server (5xx, 408, 429) and interrupted or stalled connections
// are retried a limited number of times with increasing pauses. After an error or cancellation the bytes are kept in
// Dest+".part" for the next call, unless the digest is wrong.
func Get(ctx context.Context, r Request, progress Progress) error {
	_, err := standard.get(ctx, r, progress)
	return err
}

// fetcher has the parameters that tests change.
type fetcher struct {
	client  *http.Client
	tries   int                             // consecutive, without at least minGain new bytes
	minGain int64                           // new bytes after which tries are counted from 1 again
	stall   time.Duration                   // maximum wait for the next bytes
	pause   func(attempt int) time.Duration // before attempt 2, 3 …
	longest time.Duration                   // longest pause that a server may ask for
	now     func() time.Time
	sleep   func(context.Context, time.Duration) error
	waiting func(d time.Duration, why error) // is called with pauses that a server asks for
}

var standard = newFetcher(agentName, nil)

// agentName is the name by which publishers' servers know the program.
const agentName = "quartier"

// newFetcher returns a fetcher with the name of the program, that asks a mirror if it is not nil.
func newFetcher(agent string, m *mirror) fetcher {
	way := newRoad(agent, m)
	return fetcher{
		client:  &http.Client{Transport: way, CheckRedirect: way.checkRedirect},
		tries:   6,
		minGain: 1 << 20,
		stall:   time.Minute,
		pause:   func(attempt int) time.Duration { return min(time.Second<<(attempt-2), 30*time.Second) },
		longest: 15 * time.Minute,
		now:     time.Now,
		sleep:   sleep,
		waiting: func(time.Duration, error) {},
	}
}

var hexDigest = regexp.MustCompile(`^[0-9a-f]{64}$`)

// check returns an error for an invalid request, and converts its digest to lower case.
func (r *Request) check() error {
	u, err := url.Parse(r.URL)
	if err != nil {
		return errors.New("fetch: the url is not an address") // which may have a secret in it
	}
	if err := checkScheme(u); err != nil && !overture.Is(r.URL) {
		return fmt.Errorf("fetch: %w", err)
	}
	r.SHA256 = strings.ToLower(r.SHA256)
	if r.SHA256 != "" && !hexDigest.MatchString(r.SHA256) {
		return fmt.Errorf("fetch %s: sha256 %q is not 64 hex digits", publicAddress(u), r.SHA256)
	}
	if r.Dest == "" {
		return fmt.Errorf("fetch %s: no destination", publicAddress(u))
	}
	if r.MaxSize > 0 && r.Size > r.MaxSize {
		return fmt.Errorf("fetch %s: %w: %d bytes, at most %d", publicAddress(u), ErrTooLarge, r.Size, r.MaxSize)
	}
	return nil
}

// form is what the file must be.
func (r Request) form() form { return formOf(r.name(), r.Ending) }

func (r Request) name() string {
	if r.Name != "" {
		return r.Name
	}
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return path.Base(u.Path)
}

func (f fetcher) get(ctx context.Context, r Request, progress Progress) (Got, error) {
	if err := r.check(); err != nil {
		return Got{}, err
	}
	if digest, size, err := source.DigestFile(ctx, r.Dest); err == nil && digest == r.SHA256 {
		return Got{Version: Version{SHA256: digest, Bytes: size}}, nil
	} else if err != nil && !errors.Is(err, os.ErrNotExist) {
		return Got{}, fmt.Errorf("fetch to %s: %w", r.Dest, err)
	}
	got, err := f.obtain(ctx, r, progress)
	if err != nil {
		return Got{}, fmt.Errorf("fetch %s to %s: %w", redacted(r.URL), r.Dest, err)
	}
	return got, nil
}

// obtain gets a file that is not there, of a request that was checked.
func (f fetcher) obtain(ctx context.Context, r Request, progress Progress) (Got, error) {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	if overture.Is(r.URL) {
		return f.overture(ctx, r, progress)
	}
	part, err := openPart(r)
	if err != nil {
		return Got{}, err
	}
	defer part.close()
	got, err := f.fill(ctx, r, part, progress)
	if err != nil {
		return Got{}, err
	}
	return r.publish(part, got)
}

// publish gives a complete file its name.
func (r Request) publish(part *part, got Got) (Got, error) {
	if got.path = r.Dest; r.place != nil {
		got.path = r.place(part.file, got)
	}
	return got, part.publish(got.path)
}

// fill downloads until the part is complete, is what its name says and has the digest. A part of several responses with a wrong
// digest is downloaded once more from the start, since a server may change the file or send wrong ranges; one that is damaged too,
// since a connection may end early without an error.
func (f fetcher) fill(ctx context.Context, r Request, part *part, progress Progress) (Got, error) {
	for round := 1; ; round++ {
		single, err := f.download(ctx, r, part, progress)
		if err != nil {
			return Got{}, err
		}
		digest, err := part.digest(ctx)
		if err != nil {
			return Got{}, err
		}
		got := Got{Version: Version{SHA256: digest, Bytes: part.size, Date: dateOf(part.mark.LastModified), ETag: part.mark.Tag},
			Name: part.mark.Name}
		if digest == r.SHA256 {
			return got, nil
		}
		damage := damageOf(named{part.file, r.name()}, part.size, r.form())
		if damage == nil && r.SHA256 == "" {
			return got, nil
		}
		if err := part.reset(); err != nil {
			return Got{}, err
		}
		switch {
		case damage != nil && round == 2:
			return Got{}, damage
		case damage == nil && (single || round == 2):
			return Got{}, &Changed{Was: r.pinned(), Is: got.Version}
		}
	}
}

// named is an open file with the name that it has at its publisher.
type named struct {
	*os.File
	name string
}

func (n named) Name() string { return n.name }

// damageOf is what is wrong with a complete file that must be of a form.
func damageOf(file whole.File, size int64, want form) error {
	head := make([]byte, min(size, peekBytes))
	if _, err := file.ReadAt(head, 0); err != nil && err != io.EOF {
		return err
	}
	switch {
	case isPage(head, ""):
		return &Refusal{Reason: Page, Text: strings.TrimSpace("a web page in place of " + want.name + " " + titleText(head))}
	case size == 0:
		return &Refusal{Reason: Empty, Text: "an empty file in place of " + want.name}
	case !want.begins(head):
		return &Refusal{Reason: WrongType, Text: looksLike(head) + " in place of " + want.name}
	case size < want.least:
		return &Refusal{Reason: Damaged, Text: fmt.Sprintf("%s of %d bytes: it has at least %d", want.name, size, want.least)}
	}
	if want.check == nil {
		return nil
	}
	if err := want.check(file, size); err != nil {
		return &Refusal{Reason: Damaged, Text: fmt.Sprintf("%s of which something is wrong: %v", want.name, err)}
	}
	return nil
}

// pinned is what is known of the file that is wanted.
func (r Request) pinned() Version {
	v := r.Pinned
	v.SHA256 = r.SHA256
	return v
}

// address is what is asked for.
func (r Request) address() string { return cmp.Or(r.ftp, r.URL) }

// dateOf is a date of HTTP in the form of a Version; "" if it is none.
func dateOf(header string) string {
	at, err := http.ParseTime(header)
	if err != nil {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// download repeats attempts until the part is complete. single reports whether one response had the entire file.
func (f fetcher) download(ctx context.Context, r Request, part *part, progress Progress) (single bool, err error) {
	highest := part.size
	attempt := f.attempt
	if r.ftp != "" {
		attempt = f.attemptFTP
	}
	for tries := 1; ; tries++ {
		single, err = attempt(ctx, r, part, progress)
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
		if err := f.rest(ctx, tries, again); err != nil {
			return false, err
		}
	}
}
