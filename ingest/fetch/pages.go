package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Errors of a query, for errors.Is.
var (
	// ErrLoop is the error of pages whose links come back to a page that was read.
	ErrLoop = errors.New("the links of the pages are a loop")
	// ErrOtherHost is the error of a link or redirect to another server, to which the token is not sent.
	ErrOtherHost = errors.New("leads to another host")
	// ErrUnsafe is the error of a token that would be sent without encryption.
	ErrUnsafe = errors.New("a token is sent by https alone")
	// ErrRefused is the error of a server that does not accept the token.
	ErrRefused = errors.New("refused; is the token right?")
)

// Query is a query of an OData Web API, whose answer comes in pages.
type Query struct {
	URL    string // of the query, https
	Token  string // bearer token; "": none. It is in no message and goes to no other host
	Folder string // of the pages, a file each; created
}

// Fetched is what a query brought.
type Fetched struct {
	Pages, Records int
	Resumed        bool   // from the last page of an interrupted call
	Since          string // ModificationTimestamp after which records were asked for; "": all
}

// GetPages asks for the records that changed since the last call and writes each page to a file of its own, page-00000001.json
// and so on, in the folder. A page appears complete or not at all. The next call continues an interrupted one with its next
// page; after an error what was there stays. progress, which may be nil, is called after each page.
func GetPages(ctx context.Context, q Query, progress func(Fetched)) (Fetched, error) {
	return standardPages.get(ctx, q, progress)
}

// pager has the parameters that tests change.
type pager struct{ fetcher }

var standardPages = pager{patient(standard)}

// patient is a fetcher for queries, whose servers count requests and ask for longer pauses.
func patient(f fetcher) fetcher {
	f.longest = time.Hour
	return f
}

// sleep waits, or returns the error of a context that ends before.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// chain is the pages of one query, from its first to its last.
type chain struct {
	pager
	query   Query
	host    *url.URL
	folder  *pageFolder
	visited map[string]bool
	last    [sha256.Size]byte // digest of the last page with records
	empty   int               // pages without records in a row
	got     Fetched
}

func (p pager) get(ctx context.Context, q Query, progress func(Fetched)) (Fetched, error) {
	u, err := q.check()
	if err != nil {
		return Fetched{}, err
	}
	folder, err := openPages(q)
	if err != nil {
		return Fetched{}, fmt.Errorf("fetch to %s: %w", q.Folder, err)
	}
	defer folder.close()
	c := &chain{pager: p, query: q, host: u, folder: folder, visited: map[string]bool{}}
	c.client = &http.Client{Transport: p.client.Transport, CheckRedirect: c.checkRedirect(p.client.CheckRedirect)}
	if err := c.follow(ctx, progress); err != nil {
		return c.got, fmt.Errorf("fetch %s: %w", plainAddress(u), err)
	}
	return c.got, nil
}

// check returns the address of the query.
func (q Query) check() (*url.URL, error) {
	u, err := url.Parse(q.URL)
	if err != nil {
		return nil, errors.New("fetch: the url is not an address") // which may have a secret in it
	}
	if err := checkScheme(u); err != nil {
		return nil, fmt.Errorf("fetch: %w", err)
	}
	if q.Token != "" && u.Scheme != "https" && u.Hostname() != "localhost" && u.Hostname() != "127.0.0.1" && u.Hostname() != "::1" {
		return nil, fmt.Errorf("fetch %s: %w", plainAddress(u), ErrUnsafe)
	}
	if q.Folder == "" {
		return nil, fmt.Errorf("fetch %s: no folder for its pages", plainAddress(u))
	}
	return u, nil
}

// plainAddress is an address for messages, without its query, in which there may be a secret.
func plainAddress(u *url.URL) string { return u.Scheme + "://" + u.Host + u.Path }

// mostEmpty is the number of pages without records in a row that a server may send.
const mostEmpty = 100

// follow reads page after page. A link of an earlier call that the server does not know any more is replaced by the query.
func (c *chain) follow(ctx context.Context, progress func(Fetched)) error {
	state := &c.folder.state
	next := state.Next
	c.got.Resumed, c.got.Since = next != "", state.Latest
	if next == "" {
		next = since(c.host, state.Latest)
	}
	for next != "" {
		address, err := c.resolve(next)
		if err != nil {
			return err
		}
		if c.visited[address] {
			return fmt.Errorf("%w: page %d", ErrLoop, c.got.Pages+1)
		}
		c.visited[address] = true
		page, err := c.page(ctx, address)
		var status *statusError
		if stale := errors.As(err, &status) && status.gone(); stale && c.got.Resumed && c.got.Pages == 0 {
			delete(c.visited, address)
			c.got.Resumed, state.Next, state.Seen = false, "", ""
			next = since(c.host, state.Latest)
			continue
		}
		if err != nil {
			return fmt.Errorf("page %d: %w", c.got.Pages+1, err)
		}
		if next, err = c.keep(page, address); err != nil {
			return err
		}
		if progress != nil {
			progress(c.got)
		}
	}
	return nil
}

// keep writes a page and returns the link to the next one, "" behind the last.
func (c *chain) keep(p *page, address string) (next string, err error) {
	if c.empty++; len(p.Records) > 0 {
		c.empty = 0
	}
	digest := sha256.Sum256(p.values)
	switch {
	case c.empty > mostEmpty:
		return "", fmt.Errorf("%w: %d pages without records", ErrLoop, c.empty)
	case len(p.Records) > 0 && digest == c.last:
		return "", fmt.Errorf("%w: page %d has the records of the page before", ErrLoop, c.got.Pages+1)
	}
	c.last = digest
	if p.Next != "" {
		base, err := url.Parse(address)
		if err != nil {
			return "", err
		}
		link, err := base.Parse(p.Next)
		if err != nil {
			return "", errors.New("the link to the next page is not an address")
		}
		if next, err = c.resolve(link.String()); err != nil {
			return "", err
		}
		if c.visited[next] {
			err = fmt.Errorf("%w: page %d leads to a page that was read", ErrLoop, c.got.Pages+1)
			return "", err
		}
	}
	if err := c.folder.add(p, next); err != nil {
		return "", err
	}
	c.got.Pages++
	c.got.Records += len(p.Records)
	return next, nil
}

// resolve returns an address if it is of the query's server.
func (c *chain) resolve(link string) (string, error) {
	u, err := c.host.Parse(link)
	if err != nil {
		return "", errors.New("the link to the next page is not an address")
	}
	if !sameServer(u, c.host) {
		return "", fmt.Errorf("the link to the next page %w: %s", ErrOtherHost, u.Host)
	}
	return u.String(), nil
}

func sameServer(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Host, b.Host) && a.User.String() == b.User.String()
}

// checkRedirect follows no redirect to another server, and of those to the same one what a check allows.
func (c *chain) checkRedirect(check func(*http.Request, []*http.Request) error) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		if !sameServer(req.URL, c.host) {
			return fmt.Errorf("%w: %w: %s", errRedirect, ErrOtherHost, req.URL.Host)
		}
		return check(req, via)
	}
}

// since adds to a query that records changed after a time.
//
//	…?$filter=City eq 'Salem' → …?$filter=(City eq 'Salem') and ModificationTimestamp gt 2024-05-02T10:00:00Z
func since(query *url.URL, latest string) string {
	if latest == "" {
		return query.String()
	}
	condition := "ModificationTimestamp gt " + latest
	u := *query
	values := u.Query()
	if filter := values.Get("$filter"); filter != "" {
		condition = "(" + filter + ") and " + condition
	}
	values.Set("$filter", condition)
	u.RawQuery = strings.ReplaceAll(strings.ReplaceAll(values.Encode(), "+", "%20"), "%24", "$") // as servers of OData want it
	return u.String()
}

// page asks for a page until it comes, as often as fetcher.tries.
func (c *chain) page(ctx context.Context, address string) (*page, error) {
	for tries := 1; ; tries++ {
		p, err := c.attemptPage(ctx, address)
		var again *retryError
		if err == nil || ctx.Err() != nil || !errors.As(err, &again) {
			return p, err
		}
		if tries >= c.tries {
			return nil, fmt.Errorf("failed after %d tries: %w", tries, err)
		}
		if err := c.rest(ctx, tries, again); err != nil {
			return nil, err
		}
	}
}

// statusError is the error of an answer other than 200.
type statusError struct{ status int }

func (e *statusError) Error() string {
	return fmt.Sprintf("server returned %d %s", e.status, http.StatusText(e.status))
}

// gone reports whether the server does not know a link, which may have expired.
func (e *statusError) gone() bool {
	return e.status == http.StatusBadRequest || e.status == http.StatusNotFound || e.status == http.StatusGone
}

// attemptPage asks for a page once.
func (c *chain) attemptPage(ctx context.Context, address string) (*page, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := time.AfterFunc(c.stall, func() { cancel(errStalled) })
	defer watch.Stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, errors.New("the address of the page is invalid")
	}
	req = req.WithContext(withWatch(ctx, watch, c.stall))
	req.Header.Set("Accept", "application/json")
	if c.query.Token != "" {
		req.Header.Set("Authorization", "Bearer "+c.query.Token)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return nil, c.failed(ctx, plainError(err))
	}
	defer resp.Body.Close()
	switch code := resp.StatusCode; {
	case code == http.StatusOK:
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return nil, fmt.Errorf("%w: %w", &statusError{code}, ErrRefused)
	case code >= 500 || code == http.StatusRequestTimeout || code == http.StatusTooManyRequests:
		return nil, &retryError{err: &statusError{code}, after: c.retryAfter(resp.Header.Get("Retry-After"))}
	default:
		return nil, &statusError{code}
	}
	var body bytes.Buffer
	if err := readAll(&body, resp.Body, func() { watch.Reset(c.stall) }); err != nil {
		if errors.Is(err, ErrTooLarge) {
			return nil, err
		}
		return nil, c.failed(ctx, err)
	}
	p, err := parsePage(body.Bytes())
	if err != nil {
		return nil, &retryError{err: err}
	}
	return p, nil
}

// plainError is an error of the client without the address, in whose query there may be a secret.
func plainError(err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		return inner.Err
	}
	return err
}
