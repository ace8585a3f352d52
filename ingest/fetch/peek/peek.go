// Package peek asks publishers for small files, such as the lists of what they have, and whether a file is there, without
// downloading it. Package fetch downloads sources.
package peek

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
	"slices"
	"strconv"
	"strings"
	"time"
)

// Errors for errors.Is.
var (
	// ErrOffline is the error of a file that is not in the cache of a client that may not ask.
	ErrOffline = errors.New("offline, and no earlier answer is in the cache")
	// ErrRefused is the error of a publisher that answers something else than the file, or not now.
	ErrRefused = errors.New("the publisher refuses")
)

// Client asks publishers. Its zero value asks their own servers and keeps nothing.
type Client struct {
	Mirror  string // an address or folder: https://HOST/PATH is asked as MIRROR/HOST/PATH; "": the publisher's server
	Cache   string // folder in which answers are kept; "": none
	Offline bool   // answers are those of the cache alone
	Agent   string // by which servers know the program; "": its name

	http http.Client
}

const (
	patience     = 30 * time.Second
	maxRedirects = 5
)

// Get returns a file of at most so many bytes, and keeps it. A page of text in place of data is a refusal.
func (c *Client) Get(ctx context.Context, address string, most int64) ([]byte, error) {
	kept, err := c.kept(address)
	if err != nil {
		return nil, err
	}
	if c.Offline {
		if data, err := os.ReadFile(kept); kept != "" && err == nil {
			return data, nil
		}
		return nil, ErrOffline
	}
	data, err := c.get(ctx, address, most)
	if err != nil {
		return nil, err
	}
	if kept != "" {
		if err := errors.Join(os.MkdirAll(filepath.Dir(kept), 0o755), os.WriteFile(kept+".part", data, 0o644)); err == nil {
			err = os.Rename(kept+".part", kept)
		}
	}
	return data, nil // an answer that could not be kept is an answer
}

func (c *Client) get(ctx context.Context, address string, most int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, _, err := c.open(ctx, address, "")
	if err != nil {
		return nil, err
	}
	defer body.Close()
	data, err := io.ReadAll(io.LimitReader(body, most+1))
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", public(address), err)
	}
	if int64(len(data)) > most {
		return nil, fmt.Errorf("%w: %s has more than %d bytes", ErrRefused, public(address), most)
	}
	if isPage(data[:min(len(data), 512)]) {
		return nil, fmt.Errorf("%w: %s answers with a page of text", ErrRefused, public(address))
	}
	return data, nil
}

// Has reports whether a file is there, and its size in bytes, 0 where it is not told. It asks for the first bytes, since
// publishers answer HEAD with something else. The error, ErrRefused or one of the network, says that it is not known.
func (c *Client) Has(ctx context.Context, address string) (there bool, size int64, err error) {
	if c.Offline {
		return false, 0, ErrOffline
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	body, size, err := c.open(ctx, address, "bytes=0-511")
	if errors.Is(err, errAbsent) {
		return false, 0, nil
	} else if err != nil {
		return false, 0, err
	}
	defer body.Close()
	start := make([]byte, 512)
	n, err := io.ReadFull(body, start)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return false, 0, err
	}
	if n == 0 || isPage(start[:n]) {
		return false, 0, nil // what publishers answer in place of a file that is not there
	}
	return true, size, nil
}

// isPage reports whether the beginning of an answer is that of a page for people.
func isPage(start []byte) bool {
	text := strings.ToLower(string(start))
	return slices.ContainsFunc([]string{"<html", "<!doctype html", "<div", "<head", "<style", "<link"}, func(tag string) bool {
		return strings.Contains(text, tag)
	})
}

// errAbsent is the answer that a file is not there.
var errAbsent = errors.New("not there")

// open opens a file, or its first bytes; size is that of the whole file, 0: not told.
func (c *Client) open(ctx context.Context, address, ranges string) (body io.ReadCloser, size int64, err error) {
	mapped, local, err := c.mapped(address)
	if err != nil {
		return nil, 0, err
	}
	if local {
		file, err := os.Open(mapped)
		if errors.Is(err, os.ErrNotExist) {
			err = fmt.Errorf("%w: %s", errAbsent, mapped)
		}
		if err != nil {
			return nil, 0, err
		}
		info, err := file.Stat()
		return file, info.Size(), err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, mapped, nil)
	if err != nil {
		return nil, 0, err
	}
	request.Header.Set("User-Agent", cmp.Or(c.Agent, "quartier"))
	if ranges != "" {
		request.Header.Set("Range", ranges)
	}
	c.http.CheckRedirect = func(_ *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("%w: more than %d redirects", ErrRefused, maxRedirects)
		}
		return nil
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, 0, fmt.Errorf("%s does not answer: %w", request.URL.Host, unwrapURL(err))
	}
	switch response.StatusCode {
	case http.StatusOK, http.StatusPartialContent:
		return response.Body, sizeOf(response), nil
	case http.StatusNotFound, http.StatusGone:
		err = errAbsent
	default:
		err = ErrRefused
	}
	response.Body.Close()
	return nil, 0, fmt.Errorf("%w: %s answers %s", err, public(address), response.Status)
}

// sizeOf is the size of the whole file.
func sizeOf(response *http.Response) int64 {
	if _, total, found := strings.Cut(response.Header.Get("Content-Range"), "/"); found {
		if n, err := strconv.ParseInt(total, 10, 64); err == nil {
			return n
		}
	}
	return max(response.ContentLength, 0)
}

// mapped is the address that is asked, or a file of a mirror that is a folder.
func (c *Client) mapped(address string) (mapped string, local bool, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", false, err
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return "", false, fmt.Errorf("%s is not an http or https address", public(address))
	}
	if c.Mirror == "" {
		return address, false, nil
	}
	rest := u.Host + "/" + strings.TrimPrefix(u.EscapedPath(), "/")
	if !strings.Contains(c.Mirror, "://") {
		if !filepath.IsLocal(filepath.FromSlash(u.Host + u.Path)) {
			return "", false, fmt.Errorf("%s has no name in a folder", public(address))
		}
		return filepath.Join(c.Mirror, filepath.FromSlash(u.Host+u.Path)), true, nil
	}
	if u.RawQuery != "" {
		rest += "?" + u.RawQuery
	}
	return strings.TrimSuffix(c.Mirror, "/") + "/" + rest, false, nil
}

// kept is the file in which an answer is kept; "" where none is.
func (c *Client) kept(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || c.Cache == "" {
		return "", err
	}
	name := filepath.FromSlash(u.Host + u.Path)
	if !filepath.IsLocal(name) || u.RawQuery != "" {
		return "", nil
	}
	return filepath.Join(c.Cache, "lists", name), nil
}

// public is an address without what gives access.
func public(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "address"
	}
	u.User, u.RawQuery = nil, ""
	return u.String()
}

// unwrapURL is the reason of an error of net/http, which repeats the address.
func unwrapURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
