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
	"path/filepath"
	"strconv"
	"time"
)

// Errors of Peek for errors.Is.
var (
	// ErrUnasked is the error of a file that is not in the cache of a Peek that may not ask.
	ErrUnasked = errors.New("offline, and no earlier answer is in the cache")
	// ErrNoFile is the error of a publisher that answers something else than a file, or not now.
	ErrNoFile = errors.New("the publisher answers no file")
)

// errAbsent is the answer that a file is not there.
var errAbsent = errors.New("not there")

// peekPatience is the longest that an answer may take.
const peekPatience = 30 * time.Second

// Peek asks publishers for small files, such as the lists of what they have, and whether a file is there, without
// downloading it.
type Peek struct {
	client  *http.Client
	cache   string // folder in which lists are kept; "": none
	unasked bool   // answers are those of the cache alone
}

// NewPeek returns a Peek with the agent, cache, mirror and offline of the options. Of a mirror that is a folder it takes files
// offline too.
func NewPeek(o Options) (*Peek, error) {
	m, err := openMirror(o.Mirror)
	if err != nil {
		return nil, err
	}
	return &Peek{client: newFetcher(cmp.Or(o.Agent, agentName), m).client, cache: o.Cache,
		unasked: o.Offline && (m == nil || m.folder == nil)}, nil
}

// Get returns a file of at most so many bytes, and keeps it. A page for people in place of data is no file.
func (p *Peek) Get(ctx context.Context, address string, most int64) ([]byte, error) {
	kept := p.kept(address)
	if p.unasked {
		if data, err := os.ReadFile(kept); kept != "" && err == nil {
			return data, nil
		}
		return nil, ErrUnasked
	}
	ctx, cancel := context.WithTimeout(ctx, peekPatience)
	defer cancel()
	response, err := p.open(ctx, address, "")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("get %s: %w", publicAddress(response.Request.URL), err)
	case int64(len(data)) > most:
		return nil, fmt.Errorf("%w: %s has more than %d bytes", ErrNoFile, publicAddress(response.Request.URL), most)
	case isPage(data[:min(len(data), 512)], response.Header.Get("Content-Type")):
		return nil, fmt.Errorf("%w: %s is a web page", ErrNoFile, publicAddress(response.Request.URL))
	}
	if kept != "" {
		if err := errors.Join(os.MkdirAll(filepath.Dir(kept), 0o755), os.WriteFile(kept+".part", data, 0o644)); err == nil {
			os.Rename(kept+".part", kept) // an answer that is not kept is an answer
		}
	}
	return data, nil
}

// Has reports whether a file is there, and its size in bytes, 0 where it is not known. It asks for the first bytes, since
// publishers answer HEAD with something else. An error says that it is not known.
func (p *Peek) Has(ctx context.Context, address string) (there bool, size int64, err error) {
	if p.unasked {
		return false, 0, ErrUnasked
	}
	ctx, cancel := context.WithTimeout(ctx, peekPatience)
	defer cancel()
	response, err := p.open(ctx, address, "bytes=0-511")
	if errors.Is(err, errAbsent) {
		return false, 0, nil
	} else if err != nil {
		return false, 0, err
	}
	defer response.Body.Close()
	start := make([]byte, 512)
	n, err := io.ReadFull(response.Body, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, 0, err
	}
	if n == 0 || isPage(start[:n], response.Header.Get("Content-Type")) {
		return false, 0, nil // what publishers answer in place of a file that is not there
	}
	return true, wholeSize(response), nil
}

// wholeSize is the size of the file of which an answer is the whole or a part; 0: not known.
func wholeSize(response *http.Response) int64 {
	if response.StatusCode == http.StatusPartialContent {
		text := response.Header.Get("Content-Range")
		for i := range text {
			if n, err := strconv.ParseInt(text[i+1:], 10, 64); text[i] == '/' && err == nil {
				return n
			}
		}
		return 0
	}
	return max(response.ContentLength, 0)
}

// open asks for a file, or its first bytes.
func (p *Peek) open(ctx context.Context, address, ranges string) (*http.Response, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("the address is invalid")
	}
	if err := checkScheme(u); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	if ranges != "" {
		request.Header.Set("Range", ranges)
	}
	response, err := p.client.Do(request)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // without the address, which may give access
		}
		return nil, fmt.Errorf("%s does not answer: %w", u.Host, err)
	}
	switch response.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		return response, nil
	case http.StatusNotFound, http.StatusGone:
		err = errAbsent
	default:
		err = ErrNoFile
	}
	response.Body.Close()
	return nil, fmt.Errorf("%w: %s answers %s", err, publicAddress(u), response.Status)
}

// kept is the file in which an answer is kept; "" where none is.
func (p *Peek) kept(address string) string {
	u, err := url.Parse(address)
	if err != nil || p.cache == "" {
		return ""
	}
	name := filepath.FromSlash(u.Host + u.Path)
	if !filepath.IsLocal(name) || u.RawQuery != "" {
		return ""
	}
	return filepath.Join(p.cache, "lists", name)
}
