package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
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

// attempt sends one request and appends the response to the part. single reports whether the response starts with the
// first byte of the file.
func (f fetcher) attempt(ctx context.Context, r Request, part *part, progress Progress) (single bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(f.stall, func() { cancel(errStalled) })
	defer watch.Stop()

	resp, err := f.ask(withWatch(ctx, watch, f.stall), r, part)
	if err != nil {
		return false, f.failed(ctx, err)
	}
	defer resp.Body.Close()
	body := &peeked{body: resp.Body, moved: func() { watch.Reset(f.stall) }}
	first := resp.StatusCode != http.StatusPartialContent
	if resp.StatusCode != http.StatusRequestedRangeNotSatisfiable {
		if refusal := refused(resp, body.peek(resp.StatusCode), r.form(), redacted(r.URL), first); refusal != nil {
			if ctx.Err() != nil {
				return false, f.failed(ctx, ctx.Err())
			}
			return false, f.refusal(refusal, resp.Header.Get("Retry-After"), body.err)
		}
	}
	total, err := accept(resp, part)
	if err != nil {
		return false, err
	}
	if total == part.size {
		return false, nil
	}
	if changed := r.changed(part.mark); changed != nil {
		return false, errors.Join(changed, part.reset())
	}
	single = part.size == 0
	if err := checkSize(r, total); err != nil {
		return single, err
	}
	return single, f.receive(ctx, r, part, body, total, progress)
}

// changed is the error of an answer with another length, and another date or ETag, than that of the pinned file; nil if it
// may be that.
func (r Request) changed(said mark) error {
	is := Version{Bytes: said.Total, Date: dateOf(said.LastModified), ETag: said.Tag}
	differ := func(a, b string) bool { return a != "" && b != "" && a != b }
	if r.Pinned.Bytes == 0 || is.Bytes <= 0 || is.Bytes == r.Pinned.Bytes || !differ(is.Date, r.Pinned.Date) && !differ(is.ETag,
		r.Pinned.ETag) {
		return nil
	}
	return &Changed{Was: r.pinned(), Is: is}
}

// receive appends what comes to the part.
func (f fetcher) receive(ctx context.Context, r Request, part *part, body io.Reader, total int64, progress Progress) error {
	buffer := make([]byte, 256<<10)
	for {
		n, err := body.Read(buffer)
		if n > 0 {
			if _, err := part.Write(buffer[:n]); err != nil {
				return err
			}
			if err := checkSize(r, part.size); err != nil {
				return errors.Join(err, part.reset())
			}
			progress(part.size, total)
		}
		if err == io.EOF {
			return complete(r, part, total)
		}
		if err != nil {
			return f.failed(ctx, err)
		}
	}
}

// refusal is the error of an answer that is not the file: one after which to retry, if that may help. cut is the error after
// the bytes by which it was recognized.
func (f fetcher) refusal(r *Refusal, after string, cut error) error {
	if !r.again() && (cut == nil || cut == io.EOF) {
		return r
	}
	return &retryError{err: r, after: f.retryAfter(after)}
}

// peeked is the body of an answer, whose first bytes are looked at before they are read.
type peeked struct {
	body  io.Reader
	moved func() // is called when bytes come
	head  []byte
	err   error // after head
}

// Bytes that are enough to find what an answer is: of files; of texts, which may be pages; of pages with an error.
const (
	enough     = 512
	enoughPage = 64 << 10
)

// peek returns the first bytes of an answer with a status.
func (p *peeked) peek(status int) []byte {
	buffer := make([]byte, enoughPage)
	n := 0
	for p.err == nil {
		most := enough
		switch start := startOfText(buffer[:n]); {
		case status >= 400 || bytes.HasPrefix(start, []byte("<")):
			most = enoughPage
		case len(start) == 0 || start[0] == '{':
			most = peekBytes
		}
		if n >= most {
			break
		}
		var m int
		m, p.err = p.body.Read(buffer[n:most])
		n += m
		p.moved()
	}
	p.head = buffer[:n]
	return p.head
}

// Read implements io.Reader.
func (p *peeked) Read(b []byte) (int, error) {
	if len(p.head) > 0 {
		n := copy(b, p.head)
		p.head = p.head[n:]
		return n, nil
	}
	if p.err != nil {
		return 0, p.err
	}
	n, err := p.body.Read(b)
	p.moved()
	return n, err
}

// ask sends the request, for the rest of the file if there is a part of a known version.
func (f fetcher) ask(ctx context.Context, r Request, part *part) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		return nil, errors.New("the url is not an address")
	}
	req.Header.Set("Accept-Encoding", "identity") // the digest is of the bytes as published
	if part.size > 0 && part.mark.validator() != "" {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", part.size))
		req.Header.Set("If-Range", part.mark.validator())
	}
	resp, err := f.client.Do(req)
	return resp, plainError(err)
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

// accept checks the headers of an answer that is not refused and prepares the part for it. total is the size of the complete
// file, -1 if not known.
func accept(resp *http.Response, part *part) (total int64, err error) {
	said := mark{Tag: resp.Header.Get("ETag"), LastModified: resp.Header.Get("Last-Modified"), Name: attachment(resp.Header)}
	span := resp.Header.Get("Content-Range")
	switch resp.StatusCode {
	case http.StatusPartialContent:
		start, total, ok := contentRange(span)
		switch {
		case !ok || start != part.size:
			return 0, startAgain(part, "requested bytes from %d, the server sent %q", span)
		case start == 0:
			said.Total = total
			return total, part.begin(said)
		case !part.mark.same(said, total):
			return 0, startAgain(part, "the file changed after %d bytes (%s)", span)
		}
		return total, nil
	case http.StatusRequestedRangeNotSatisfiable:
		if _, total, ok := contentRange(span); ok && total == part.size && total > 0 {
			return total, nil
		}
		return 0, startAgain(part, "the server has no bytes from %d on (%q)", span)
	}
	said.Total = -1
	if length, ok := natural(resp.Header.Get("Content-Length")); ok {
		said.Total = length
	}
	return said.Total, part.begin(said)
}

// attachment is the name of a file that an answer gives it, "" if none or no plain one.
func attachment(header http.Header) string {
	_, parameters, err := mime.ParseMediaType(header.Get("Content-Disposition"))
	name := parameters["filename"]
	if err != nil || !attachmentName.MatchString(name) {
		return ""
	}
	return name
}

var attachmentName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9 ._()-]{0,150}$`)

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

// retryAfter is what the header of that name says, in seconds or as a date.
func (f fetcher) retryAfter(header string) time.Duration {
	if seconds, ok := natural(header); ok {
		return time.Duration(min(seconds, 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return max(0, at.Sub(f.now()))
	}
	return 0
}

// rest waits before another try, as long as the server asks for; the error of one that asks for too long.
func (f fetcher) rest(ctx context.Context, tries int, again *retryError) error {
	if again.after > f.longest {
		return fmt.Errorf("the server asks to wait for %s, longer than %s: %w", again.after.Round(time.Second), f.longest, again)
	}
	if again.after > 0 {
		f.waiting(again.after, again)
	}
	return f.sleep(ctx, max(f.pause(tries+1), again.after))
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
