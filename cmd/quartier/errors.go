package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"syscall"
	"unicode"

	"quartier/build"
	"quartier/build/explain"
	"quartier/ingest"
	"quartier/ingest/fetch"
	"quartier/ingest/source"
	"quartier/internal/spatialite"
	"quartier/serve/account"
	"quartier/transform/people/demography"
)

// Exit codes, as the help lists them.
const (
	exitOK           = 0
	exitFailure      = 1
	exitUsage        = 2
	exitInputChanged = 3
	exitBadInput     = 4
	exitNotVerified  = 5
	exitInterrupted  = 130
)

const exitCodeHelp = `
EXIT CODES:
   0    done
   1    failed for another reason: disk full, no permission, a program that is missing
   2    wrong usage
   3    an input is not the one that was declared (sha256)
   4    an input is not there, or breaks what it promises: truncated, wrong format, a bad region file, too many bad rows
   5    a release did not verify
   130  interrupted
`

type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// outcomes maps an error to its exit code and what to do next; the first match wins.
var outcomes = []struct {
	matches func(error) bool
	code    int
	hint    string
}{
	{is(context.Canceled), exitInterrupted, "nothing was published; run the same command again and finished stages are reused"},
	{isUsage, exitUsage, "see quartier --help, or --help behind a command"},
	{isDiskFull, exitFailure, "the disk is full; make room, then run the same command again: the last good release was not touched"},
	{is(spatialite.ErrUnavailable), exitFailure, "install SpatiaLite, on Debian: apt-get install libsqlite3-mod-spatialite"},
	{is(fetch.ErrDigest), exitInputChanged, "the publisher's file changed: look at it, then put its sha256 and as_of into the region file"},
	{is(ingest.ErrInputChanged), exitInputChanged, "look at the file, then put its sha256 and as_of into the region file"},
	{is(ingest.ErrBadRegion), exitBadInput, "region and release files are described in README.md, with examples under regions/"},
	{is(ingest.ErrMissing), exitBadInput, "correct the source's path, in the region file or behind --pbf, or get the file: quartier fetch does where the source has a url"},
	{is(source.ErrBadOptions), exitBadInput, "DATA.md lists the options of every kind of source"},
	{is(source.ErrBadFile), exitBadInput, "get the file again from its publisher, or correct the source's options in the region file"},
	{is(source.ErrTooManyRejects), exitBadInput, "look at the reasons above; where so many bad rows are to be expected, raise max_rejected of the source"},
	{is(demography.ErrMismatch), exitBadInput, "another vintage of boundaries? leave the source out, or give the blocks or zones of its year"},
	{is(build.ErrBarren), exitBadInput, "say where the data lies: country: and state: in the region file, or --place US_MD beside --pbf"},
	{is(explain.ErrCalibration), exitFailure, "explain it with the program that built it, or build it again with this one"},
	{is(explain.ErrNoStreet), exitFailure, "the server tells nothing there; give a point nearer to a street that the release has"},
	{is(build.ErrUnverified), exitNotVerified, "do not serve it; build it again"},
	{is(errWorkBusy), exitFailure, "wait for it, or give another --work"},
	{is(build.ErrExists), exitFailure, "give --force to replace it, or another --out"},
	{is(account.ErrBadAgreement), exitUsage, ""},
	{is(account.ErrBadDSN), exitUsage, ""},
	{is(account.ErrUnknownClient), exitFailure, "quartier account list shows the accounts"},
	{is(fs.ErrPermission), exitFailure, "check who owns the file and its folder"},
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

// isDiskFull also knows the texts of the libraries that do not pass the system's error on.
func isDiskFull(err error) bool {
	text := err.Error()
	return errors.Is(err, syscall.ENOSPC) || strings.Contains(text, "No space left on device") || strings.Contains(text, "database or disk is full")
}

func isUsage(err error) bool {
	var usage usageError
	return errors.As(err, &usage) || strings.HasPrefix(err.Error(), "Required flag")
}

// harmless replaces a character that a terminal would obey: errors may cite files.
func harmless(r rune) rune {
	if unicode.IsControl(r) && !unicode.IsSpace(r) {
		return unicode.ReplacementChar
	}
	return r
}

// report prints an error with its hint and returns the exit code.
func report(w io.Writer, err error) int {
	code, hint := exitFailure, ""
	for _, outcome := range outcomes {
		if outcome.matches(err) {
			code, hint = outcome.code, outcome.hint
			break
		}
	}
	fmt.Fprintf(w, "quartier: error: %s\n", strings.Map(harmless, err.Error()))
	if hint != "" {
		fmt.Fprintf(w, "quartier: hint: %s\n", hint)
	}
	return code
}
