package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// Errors of files that are read by ranges, for errors.Is.
var (
	// ErrChanged is the error of a file that the server changed while it was read.
	ErrChanged = errors.New("the file changed while it was read; fetch it again")
	// ErrNoRanges is the error of a server that sends whole files alone.
	ErrNoRanges = errors.New("the server sends no parts of files")
	errMissing  = errors.New("there is no such file")
)

// ranged is a file of a server of which parts are read. All parts are of one version.
type ranged struct {
	fetcher
	url  string
	size int64  // -1: not known yet
	etag string // "" until the first answer, and if the server has none
	read func(n int)
}

// tail reads the last bytes of the file, all if it has fewer, and learns its size and version.
func (r *ranged) tail(ctx context.Context, n int64) ([]byte, error) {
	var out bytes.Buffer
	err := r.again(ctx, func() (int64, error) {
		out.Reset()
		return r.attempt(ctx, fmt.Sprintf("bytes=-%d", n), -1, n, &out)
	})
	return out.Bytes(), err
}

// copy writes the bytes from one offset to before another. After an interruption it asks for those that lack.
func (r *ranged) copy(ctx context.Context, from, to int64, out io.Writer) error {
	return r.again(ctx, func() (int64, error) {
		if from == to {
			return 0, nil
		}
		n, err := r.attempt(ctx, fmt.Sprintf("bytes=%d-%d", from, to-1), from, to-from, out)
		from += n
		return n, err
	})
}

// again repeats an attempt, which returns how many bytes it got, while its error says so.
func (f fetcher) again(ctx context.Context, attempt func() (int64, error)) error {
	for tries := 1; ; tries++ {
		n, err := attempt()
		var again *retryError
		if err == nil || ctx.Err() != nil || !errors.As(err, &again) {
			return err
		}
		if n >= f.minGain {
			tries = 1
		}
		if tries >= f.tries {
			return fmt.Errorf("failed after %d tries: %w", tries, err)
		}
		if err := f.rest(ctx, tries, again); err != nil {
			return err
		}
	}
}

// attempt sends one request and returns how many bytes it wrote. from is -1 for the last bytes.
func (r *ranged) attempt(ctx context.Context, header string, from, most int64, out io.Writer) (n int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(r.stall, func() { cancel(errStalled) })
	defer watch.Stop()
	req, err := http.NewRequestWithContext(withWatch(ctx, watch, r.stall), http.MethodGet, r.url, nil)
	if err != nil {
		return 0, err
	}
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("Range", header)
	resp, err := r.client.Do(req)
	if err != nil {
		return 0, r.failed(ctx, err)
	}
	defer resp.Body.Close()
	length, err := r.accept(resp, from, most)
	if err != nil {
		return 0, err
	}
	body := io.TeeReader(io.LimitReader(resp.Body, length), counter(func(got int) {
		watch.Reset(r.stall)
		r.read(got)
	}))
	sink := &sinkErrors{out: out}
	n, err = io.CopyBuffer(sink, body, make([]byte, 256<<10))
	switch {
	case sink.err != nil:
		return n, sink.err
	case err != nil:
		return n, r.failed(ctx, err)
	case n < length:
		return n, retry("connection ended at byte %d of %d", n, length)
	}
	return n, nil
}

// accept checks status and headers of an answer and returns how many bytes it has.
func (r *ranged) accept(resp *http.Response, from, most int64) (int64, error) {
	switch code := resp.StatusCode; {
	case code == http.StatusOK:
		if etag := resp.Header.Get("ETag"); r.etag != "" && etag != r.etag {
			return 0, ErrChanged
		}
		return 0, fmt.Errorf("%w: it answered a request for some bytes with %s of %q", ErrNoRanges, resp.Status, resp.Header.Get("Content-Type"))
	case code == http.StatusPartialContent:
	case code == http.StatusNotFound || code == http.StatusGone:
		return 0, errMissing
	case code == http.StatusRequestedRangeNotSatisfiable && r.size >= 0:
		return 0, ErrChanged
	default:
		return 0, r.statusOf(resp)
	}
	first, last, total, ok := rangeOf(resp.Header.Get("Content-Range"))
	if !ok || from >= 0 && first != from || from < 0 && last != total-1 || last-first+1 > most {
		return 0, retry("the server sent %q in place of what was asked for", resp.Header.Get("Content-Range"))
	}
	etag := resp.Header.Get("ETag")
	if r.size >= 0 && (total != r.size || etag != r.etag) {
		return 0, ErrChanged
	}
	r.size, r.etag = total, etag
	return last - first + 1, nil
}

// statusOf is the error of an answer that is none, after which to retry where the server may recover.
func (f fetcher) statusOf(resp *http.Response) error {
	err := fmt.Errorf("server returned %s", resp.Status)
	if code := resp.StatusCode; code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests {
		return &retryError{err: err, after: f.retryAfter(resp.Header.Get("Retry-After"))}
	}
	return err
}

// rangeOf parses "bytes 5-8/10".
func rangeOf(s string) (first, last, total int64, ok bool) {
	s, found := strings.CutPrefix(s, "bytes ")
	span, size, slash := strings.Cut(s, "/")
	from, to, dash := strings.Cut(span, "-")
	if !found || !slash || !dash {
		return 0, 0, 0, false
	}
	first, firstOK := natural(from)
	last, lastOK := natural(to)
	total, totalOK := natural(size)
	return first, last, total, firstOK && lastOK && totalOK && first <= last && last < total
}

// mostDocument bounds a document, which is kept in memory.
const mostDocument = 16 << 20

// document returns a small text of a server.
func (f fetcher) document(ctx context.Context, address string) (text []byte, err error) {
	err = f.again(ctx, func() (int64, error) {
		text, err = f.attemptDocument(ctx, address)
		return 0, err
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", redacted(address), err)
	}
	return text, nil
}

func (f fetcher) attemptDocument(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(f.stall, func() { cancel(errStalled) })
	defer watch.Stop()
	req, err := http.NewRequestWithContext(withWatch(ctx, watch, f.stall), http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, f.failed(ctx, err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusGone:
		return nil, errMissing
	default:
		return nil, f.statusOf(resp)
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, mostDocument+1))
	if err != nil {
		return nil, f.failed(ctx, err)
	}
	if len(text) > mostDocument {
		return nil, fmt.Errorf("%w: a document of more than %d bytes", ErrTooLarge, mostDocument)
	}
	if kind := http.DetectContentType(text); strings.HasPrefix(kind, "text/html") {
		return nil, fmt.Errorf("the server sent a page (%s) in place of a document", kind)
	}
	return text, nil
}

// counter is called with the number of bytes that were written.
type counter func(n int)

func (c counter) Write(p []byte) (int, error) {
	c(len(p))
	return len(p), nil
}

// sinkErrors keeps the error of a writer, which is not one of the connection.
type sinkErrors struct {
	out io.Writer
	err error
}

func (s *sinkErrors) Write(p []byte) (n int, err error) {
	n, s.err = s.out.Write(p)
	return n, s.err
}
