package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryError is an error after which to retry.
type retryError struct {
	err   error
	after time.Duration // Retry-After of the server
}

func (e *retryError) Error() string { return e.err.Error() }
func (e *retryError) Unwrap() error { return e.err }

func retry(format string, args ...any) error { return &retryError{err: fmt.Errorf(format, args...)} }

var errStalled = errors.New("connection stalled")

const maxRetryAfter = time.Minute

// attempt sends one request and appends the response to the part. single reports whether the response starts with the
// first byte of the file.
func (f fetcher) attempt(ctx context.Context, r Request, part *part, progress Progress) (single bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(f.stall, func() { cancel(errStalled) })
	defer watch.Stop()

	resp, err := f.ask(ctx, r, part)
	if err != nil {
		return false, f.failed(ctx, err)
	}
	defer resp.Body.Close()
	total, err := accept(resp, part)
	if err != nil {
		return false, err
	}
	if total == part.size {
		return false, nil
	}
	single = part.size == 0
	if err := checkSize(r, total); err != nil {
		return single, err
	}
	buffer := make([]byte, 256<<10)
	for {
		n, err := resp.Body.Read(buffer)
		watch.Reset(f.stall)
		if n > 0 {
			if _, err := part.Write(buffer[:n]); err != nil {
				return single, err
			}
			if err := checkSize(r, part.size); err != nil {
				return single, errors.Join(err, part.reset())
			}
			progress(part.size, total)
		}
		if err == io.EOF {
			return single, complete(r, part, total)
		}
		if err != nil {
			return single, f.failed(ctx, err)
		}
	}
}

// ask sends the request, for the rest of the file if there is a part of a known version.
func (f fetcher) ask(ctx context.Context, r Request, part *part) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // the digest is of the bytes as published
	if part.size > 0 && part.mark.validator() != "" {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", part.size))
		req.Header.Set("If-Range", part.mark.validator())
	}
	return f.client.Do(req)
}

// failed wraps an error of the connection in a retryError if it should be retried.
func (f fetcher) failed(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errStalled):
		return retry("%w (%s)", errStalled, f.stall)
	case cause != nil:
		return cause
	case errors.Is(err, errRedirect):
		return err
	}
	return &retryError{err: err}
}

// accept checks status and headers and prepares the part for the response. total is the size of the complete file, -1 if
// not known.
func accept(resp *http.Response, part *part) (total int64, err error) {
	switch resp.StatusCode {
	case http.StatusOK:
		if resp.ContentLength >= 0 {
			total = resp.ContentLength
		} else {
			total = -1
		}
		etag := resp.Header.Get("ETag")
		if strings.HasPrefix(etag, "W/") {
			etag = ""
		}
		return total, part.begin(etag, resp.Header.Get("Last-Modified"))
	case http.StatusPartialContent:
		start, total, ok := contentRange(resp.Header.Get("Content-Range"))
		if !ok || start != part.size {
			return 0, startAgain(part, "requested bytes from %d, the server sent %q", resp.Header.Get("Content-Range"))
		}
		return total, nil
	case http.StatusRequestedRangeNotSatisfiable:
		if _, total, ok := contentRange(resp.Header.Get("Content-Range")); ok && total == part.size && total > 0 {
			return total, nil
		}
		return 0, startAgain(part, "the server has no bytes from %d on (%q)", resp.Header.Get("Content-Range"))
	}
	err = fmt.Errorf("server returned %s", resp.Status)
	if resp.StatusCode >= 500 || resp.StatusCode == http.StatusRequestTimeout || resp.StatusCode == http.StatusTooManyRequests {
		return 0, &retryError{err: err, after: retryAfter(resp.Header.Get("Retry-After"))}
	}
	return 0, err
}

// startAgain removes the part, which the server does not continue.
func startAgain(part *part, format, detail string) error {
	size := part.size
	if err := part.reset(); err != nil {
		return err
	}
	return retry(format, size, detail)
}

// contentRange parses "bytes 5-9/10" and "bytes */10"; start is -1 in the second form, total -1 for "*".
func contentRange(s string) (start, total int64, ok bool) {
	s, found := strings.CutPrefix(s, "bytes ")
	span, size, slash := strings.Cut(s, "/")
	if !found || !slash {
		return 0, 0, false
	}
	if total = -1; size != "*" {
		if total, ok = natural(size); !ok {
			return 0, 0, false
		}
	}
	if span == "*" {
		return -1, total, true
	}
	first, last, _ := strings.Cut(span, "-")
	start, ok = natural(first)
	end, endOK := natural(last)
	if !ok || !endOK || end < start || (total >= 0 && end != total-1) {
		return 0, 0, false
	}
	return start, total, true
}

func natural(s string) (int64, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && n >= 0 && s[0] != '+'
}

func retryAfter(s string) time.Duration {
	seconds, ok := natural(s)
	if !ok || seconds > int64(maxRetryAfter/time.Second) {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// checkSize compares a size with the limits of the request. -1: not known yet.
func checkSize(r Request, size int64) error {
	if r.MaxSize > 0 && size > r.MaxSize {
		return fmt.Errorf("%w: %d bytes or more, at most %d", ErrTooLarge, size, r.MaxSize)
	}
	if r.Size > 0 && size > r.Size {
		return fmt.Errorf("%w: %d bytes or more, expected %d", ErrTooLarge, size, r.Size)
	}
	return nil
}

// complete returns an error if the file is not complete at the end of the response.
func complete(r Request, part *part, total int64) error {
	if total < 0 && r.Size > 0 {
		total = r.Size
	}
	if total >= 0 && part.size != total {
		return retry("connection ended at byte %d of %d", part.size, total)
	}
	return nil
}
