package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"syscall"
)

// Failure is the error of a file that a Session did not get: which it is, where a person finds it, and what to do.
type Failure struct {
	File   File
	Drop   string // the drop folder; "": none
	Mirror string // that was asked, without secrets; "": none
	Err    error
}

// Unwrap returns why.
func (f *Failure) Unwrap() error { return f.Err }

// Error is one line.
func (f *Failure) Error() string {
	host := "?"
	if u, err := url.Parse(f.File.URL); err == nil {
		host = u.Host
	}
	text := fmt.Sprintf("source %s: %s: %s", f.File.ID, host, f.File.Name)
	if f.Mirror != "" {
		text += " (from the mirror " + f.Mirror + ")"
	}
	address := redacted(f.File.URL)
	var refusal *Refusal
	var dropped *dropError
	switch {
	case errors.As(f.Err, &dropped):
		text += ": " + dropped.Error()
	case errors.As(f.Err, &refusal) && f.Err == error(refusal):
		text += fmt.Sprintf(": %s gave %v", address, refusal)
	default:
		text += fmt.Sprintf(": %s: %v", address, f.Err)
	}
	return text + "; " + f.Next()
}

// Next says what to do.
func (f *Failure) Next() string {
	var refusal *Refusal
	put := "get it from " + cmp.Or(f.File.Page, "its publisher")
	if f.Drop != "" {
		put = fmt.Sprintf("put %s here: %s, from %s; then run this again", f.File.DropName(), f.Drop, cmp.Or(f.File.Page, "its publisher"))
	}
	page := cmp.Or(f.File.Page, "the publisher's page")
	switch {
	case errors.Is(f.Err, ErrDigest):
		return "look at what changed, then correct sha256 and as_of of the source, or remove its entry from the lock and fetch with --pin"
	case errors.Is(f.Err, syscall.ENOSPC):
		return "free some space, or use another --cache; then run this again: it continues with what is there"
	case errors.Is(f.Err, ErrUnfinished):
		return "wait until it is there"
	case errors.Is(f.Err, ErrOffline):
		return "run this without --offline, or " + put
	case errors.Is(f.Err, errRedirect):
		return "correct the url of the source, or " + put
	case !errors.As(f.Err, &refusal):
		return "run this again later, or " + put
	}
	switch refusal.Reason {
	case Forbidden, Challenge, Blocked:
		return put
	case Missing, Moved:
		return "look at " + page + " for its newest name and correct the url, or " + put
	case TooMany, Busy:
		return "run this again later, or " + put
	case NeedsKey:
		return "use an address that needs no key, or " + put
	case NoRows, Other:
		return "correct the url: look at " + page + "; or " + put
	}
	return put
}
