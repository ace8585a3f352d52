package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"syscall"

	"quartier/build/assembly"
	"quartier/build/explain"
	"quartier/build/export"
	"quartier/build/gates"
	"quartier/build/market"
	"quartier/build/private"
	"quartier/build/publish"
	"quartier/build/scores"
	"quartier/build/verify"
	"quartier/cmd/quartier/agreed"
	"quartier/cmd/quartier/assistant"
	"quartier/cmd/quartier/batch"
	"quartier/cmd/quartier/fetching"
	"quartier/cmd/quartier/journeys"
	"quartier/cmd/quartier/pipeline"
	"quartier/cmd/quartier/placed"
	"quartier/cmd/quartier/region"
	"quartier/cmd/quartier/shelf"
	"quartier/cmd/quartier/stepping"
	"quartier/cmd/quartier/summary"
	"quartier/ingest"
	"quartier/ingest/draft"
	"quartier/ingest/fetch"
	"quartier/ingest/listings"
	"quartier/ingest/source"
	"quartier/internal/arrowfile"
	"quartier/internal/lockfile"
	"quartier/internal/signature"
	"quartier/internal/spatialite"
	"quartier/internal/store"
	"quartier/internal/store/releases"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/enrich"
	"quartier/serve/release"
	"quartier/serve/state"
	"quartier/transform/network/edges"
	"quartier/transform/people/demography"
	"quartier/transform/places/placement"
)

// Exit codes, also listed in the help.
const (
	exitOK           = 0
	exitFailure      = 1
	exitUsage        = 2
	exitInputChanged = 3
	exitBadInput     = 4
	exitNotVerified  = 5
	exitGate         = 6
	exitHeld         = 7
	exitDiffers      = 8
	exitInterrupted  = 130
)

const exitCodeHelp = `
EXIT CODES:
   0    success
   1    any other failure: disk full, permission denied, missing library
   2    usage error
   3    an input has changed: its sha256 is not the declared one, or it changed during the build
   4    an input is missing or invalid: truncated, wrong format, invalid region file, too many rejected rows,
        too many unknown categories, nothing left;
        the scale of a score is collapsed and the region file does not accept it; or a check before the first row found a fault: options, folders, disk, libraries
   5    a release failed verification, is incomplete, or is not signed by a trusted key
   6    a gate holds a release back: it differs too much from the one before
   7    another process works in the folder, or a general update runs
   8    two attempts of a step ended with different content
   130  interrupted
`

type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// outcomes maps errors to exit codes and hints; the first match wins.
var outcomes = []struct {
	matches func(error) bool
	code    int
	hint    string
}{
	{both(is(export.ErrStopped), is(context.Canceled)), exitInterrupted, "nothing of the export is left; run the command again"},
	{both(is(export.ErrStopped), isDiskFull), exitFailure,
		"the disk is full: free some space or use another --out, and run the command again; nothing of the export is left"},
	{both(is(batch.ErrStopped), is(context.Canceled)), exitInterrupted, "run the command again with --resume"},
	{both(is(batch.ErrStopped), isDiskFull), exitFailure,
		"the disk is full: free some space and run the command again with --resume; until it ends, an output needs its size twice"},
	{is(context.Canceled), exitInterrupted, "nothing was published; run the command again to resume, finished stages are reused"},
	{is(batch.ErrUsage), exitUsage, "run quartier enrich --help or quartier matrix --help"},
	{is(journeys.ErrUsage), exitUsage, "run quartier matrix --help or quartier explain --help"},
	{is(assistant.ErrUsage), exitUsage, "run quartier mcp --help"},
	{is(region.ErrUsage), exitUsage, "run quartier region --help"},
	{is(stepping.ErrUsage), exitUsage, "run quartier step --help"},
	{is(stepping.ErrUnknown), exitUsage, "quartier step plan prints the ids of steps"},
	{is(stepping.ErrAbsent), exitFailure, "run the steps before it"},
	{is(stepping.ErrLost), exitFailure, "remove the object that is named, if it is there, and run the step that wrote it again"},
	{is(stepping.ErrDiffers), exitDiffers, "the first is recorded and used; docs/scale.md says what to do"},
	{is(pipeline.ErrProgram), exitInputChanged, "all machines of a build need the same program and libraries"},
	{is(pipeline.ErrPlan), exitInputChanged, "all machines of a build need the same region files, sources and options"},
	{is(shelf.ErrUsage), exitUsage, "run quartier --help or quartier COMMAND --help"},
	{is(store.ErrAddress), exitUsage, "docs/stores.md describes addresses and variables"},
	{is(draft.ErrNothing), exitBadInput, ""},
	{both(is(fetching.ErrLacking), is(fetch.ErrDigest)), exitInputChanged, "what was fetched is kept"},
	{both(is(fetching.ErrLacking), isDiskFull), exitFailure, "what was fetched is kept"},
	{is(placed.ErrNothing), exitBadInput, "put the files into the drop folder, or run the command again when their publishers answer"},
	{is(placed.ErrOther), exitUsage, "each place has a folder of its own"},
	{is(fetching.ErrLacking), exitBadInput, "what was fetched is kept, and quartier fetch asks for the rest alone"},
	{isUsage, exitUsage, "run quartier --help or quartier COMMAND --help"},
	{isDiskFull, exitFailure, "the disk is full: free some space and run the command again; the existing release was not touched"},
	{is(spatialite.ErrUnavailable), exitFailure, "install SpatiaLite; on Debian: apt-get install libsqlite3-mod-spatialite"},
	{is(ingest.ErrChangedMeanwhile), exitInputChanged,
		"nothing of this run is kept: run the command again when nobody writes the file any more"},
	{is(ingest.ErrInputChanged), exitInputChanged, "check the file, then update sha256 and as_of in the region file"},
	{is(ingest.ErrUnpinned), exitBadInput, "quartier fetch --region FILE --pin downloads the files and writes what they are into FILE.lock"},
	{is(ingest.ErrBadRegion), exitBadInput, "README.md describes region and release files; regions/ has examples"},
	{is(ingest.ErrMissing), exitBadInput,
		"correct the path in the region file or --pbf, or download the file; quartier fetch downloads sources that have a url"},
	{is(source.ErrBadOptions), exitBadInput, "DATA.md lists the options of each source kind"},
	{is(source.ErrTooLarge), exitBadInput, "DATA.md lists the limits, and those that the key limits of a source raises"},
	{is(source.ErrBadFile), exitBadInput, "download the file again, or correct the options of the source in the region file"},
	{is(source.ErrTooManyRejects), exitBadInput,
		"check the reasons above; if so many rejected rows are expected, raise max_rejected of the source"},
	{is(source.ErrUnknownCategories), exitBadInput, "the publisher's vocabulary has changed: use a version of this program that " +
		"knows it, or accept that places of these categories may be missing: raise max_unknown_categories of the source"},
	{is(placement.ErrOutside), exitBadInput,
		"check the columns of longitude and latitude, the reference system and the states of the region; or remove the source"},
	{is(source.ErrNothingLeft), exitBadInput, "check the reasons above and the options of the source; or remove it"},
	{is(edges.ErrBoundary), exitBadInput,
		"an extent names outlines of the same region by scheme and key, like census:place:4159000: correct it, or add the source of the outline"},
	{is(demography.ErrMismatch), exitBadInput,
		"the boundaries may be of another vintage: add the blocks or zones of the survey's year, remove the source, or accept the share with " +
			"its option max_unmatched"},
	{is(scores.ErrCollapsed), exitBadInput,
		"check the sources of these scores; if the scale is right for the region, accept each by name in its region file with the reason: " +
			"accept_collapsed: {nightlife: villages without bars}"},
	{is(errSurvey), exitBadInput,
		"check the sources of these scores; if the region is like that, accept each by name in its region file with the reason: " +
			"accept_collapsed: {nightlife: villages without bars}, accept_disagreement: {\"wellness ~ parks\": the parks lie along the motorway}"},
	{is(assembly.ErrNoData), exitBadInput, "add a source of places, boundaries, streets or census figures of the region"},
	{is(source.ErrOutside), exitBadInput, "the API covers Canada and the United States: remove the source, or correct its coordinates"},
	{is(explain.ErrCalibration), exitFailure, "use the program version that built the release, or rebuild the release with this one"},
	{is(explain.ErrNoStreet), exitFailure, "the server returns no scores there; choose a point closer to a street of the release"},
	{is(errNoProfile), exitFailure, "quartier explain --name finds ids; profiles are of levels 10 to 38"},
	{is(explain.ErrNoGeography), exitFailure, "look the geography up with --name; keys are in geographies.sqlite"},
	{both(is(verify.ErrUnverified), is(schemas.ErrLayout)), exitNotVerified,
		"verify it with the version of the program that made it; build --previous continues it with this one"},
	{is(verify.ErrUnverified), exitNotVerified, "do not serve this release; build it again"},
	{is(errNoPlaces), exitBadInput,
		"give the folder of a release that quartier build made, or a folder of releases that quartier publish published"},
	{is(listings.ErrFewer), exitGate, "look at the file of the source and its columns; what was taken in and what is published stay"},
	{is(gates.ErrTripped), exitGate, "what is published stays. Limits are in the release file under gates; docs/releases.md lists them"},
	{is(publish.ErrNotRestored), exitFailure,
		"the folder generations has what was published; give one of them with --to, or publish a release by name"},
	{is(signature.ErrUntrusted), exitNotVerified, "quartier sign --key FILE DIR signs it; quartier key list prints the ids of keys"},
	{is(signature.ErrKey), exitBadInput, ""},
	{is(publish.ErrIncomplete), exitNotVerified, "copy the release again, or build it again; what is published stays"},
	{is(releases.ErrNothing), exitBadInput, ""},
	{is(releases.ErrBusy), exitHeld, "wait until it ends; what was killed ends when it is run again, or after a day"},
	{is(releases.ErrOccupied), exitFailure, "use another folder, or move away what is there"},
	{is(releases.ErrEarlier), exitFailure, ""},
	{is(releases.ErrRecord), exitNotVerified, "push the release again with this program"},
	{is(store.ErrDigest), exitNotVerified, "what is there stays; check the folder and the store, and run the command again"},
	{is(store.ErrChanged), exitFailure, "look at what is published by now, and run the command again"},
	{is(store.ErrNotFound), exitBadInput, "check the digest; retain may have removed the release"},
	{is(lockfile.ErrHeld), exitHeld, "wait until it finishes; builds beside each other need a --work of their own"},
	{is(publish.ErrBusy), exitHeld, "wait until it finishes, or use another --out"},
	{is(publish.ErrBeside), exitBadInput, "compute the market statistics for this release: quartier market --release PLACES"},
	{is(market.ErrNoListings), exitBadInput, "check the reasons above, and that the release covers the places of the listings"},
	{is(market.ErrNoDate), exitBadInput, "give the day of the statistics by --as-of"},
	{is(pipeline.ErrRequests), exitBadInput, "give the file that quartier update start wrote, as it is"},
	{is(private.ErrPrevious), exitBadInput, "give the component that was published last: --previous-private DIR"},
	{is(pipeline.ErrNoSpace), exitBadInput, "free some space, use other folders, or build nevertheless with --ignore-disk"},
	{is(pipeline.ErrNoMemory), exitBadInput,
		"end other programs, build fewer regions at a time with --jobs, or build nevertheless with --ignore-memory"},
	{is(pipeline.ErrFolder), exitBadInput, "check the permissions of the folder"},
	{is(pipeline.ErrPrevious), exitBadInput, ""},
	{is(export.ErrExists), exitFailure, "use --force to replace it, or another --out"},
	{is(export.ErrNoOGR), exitFailure, "install GDAL; on Debian: apt-get install gdal-bin"},
	{is(agreed.ErrUnknown), exitBadInput, "quartier account list lists the accounts; give the name of the customer as they have it"},
	{is(agreed.ErrSeveral), exitUsage, "quartier account list shows the agreements"},
	{is(publish.ErrExists), exitFailure, "use --force to replace it, or another --out"},
	{is(state.ErrUpdateRuns), exitHeld, "quartier update status describes it; complete or abort it first"},
	{is(state.ErrNoUpdate), exitFailure, "quartier update start starts one"},
	{is(state.ErrPublishing), exitFailure,
		"run quartier update complete again, which finishes it; if nothing of it is published, abort it with --unpublished"},
	{is(state.ErrOutcomes), exitBadInput,
		"build the release with the requests file of the update that runs; quartier update file writes it again"},
	{is(errFile), exitFailure, "quartier update file --out FILE writes it; quartier update abort ends the update"},
	{is(errNoPrivate), exitBadInput, "quartier build --requests FILE --out DIR/NAME writes DIR/NAME-private"},
	{is(enrich.ErrChoice), exitUsage, "quartier enrich --columns lists what would be added"},
	{is(batch.ErrExists), exitFailure, "use --force to replace it, or another --out"},
	{is(batch.ErrTooBad), exitBadInput, "check the columns of the points, or accept the share with --max-bad"},
	{is(batch.ErrAnother), exitBadInput, ""},
	{is(batch.ErrInput), exitBadInput, ""},
	{is(journeys.ErrAbsent), exitBadInput, "timetables are sources of the kind gtfs"},
	{is(arrowfile.ErrRead), exitBadInput, ""},
	{is(release.ErrRejected), exitNotVerified,
		"give the folder of a release that quartier build made, or a folder of releases that quartier publish published"},
	{is(account.ErrBadAgreement), exitUsage, ""},
	{is(state.ErrBadDSN), exitUsage, ""},
	{is(account.ErrUnknownKey), exitFailure, "quartier account key list lists the keys"},
	{is(account.ErrUnknownClient), exitFailure, "quartier account list lists the accounts"},
	{is(fs.ErrPermission), exitFailure, "check the permissions of the file and its folder"},
}

func is(target error) func(error) bool {
	return func(err error) bool { return errors.Is(err, target) }
}

func both(a, b func(error) bool) func(error) bool {
	return func(err error) bool { return a(err) && b(err) }
}

// isDiskFull also recognizes the messages of libraries that do not wrap the system error.
func isDiskFull(err error) bool {
	text := err.Error()
	return errors.Is(err, syscall.ENOSPC) || strings.Contains(text, "No space left on device") ||
		strings.Contains(text, "database or disk is full")
}

func isUsage(err error) bool {
	var usage usageError
	return errors.As(err, &usage) || strings.HasPrefix(err.Error(), "Required flag")
}

// report prints an error, which may quote files, with its hints and returns the exit code.
func report(w io.Writer, err error) int {
	code, hints := outcomeOf(err)
	fmt.Fprintf(w, "quartier: error: %s\n", summary.Plain(err.Error()))
	for _, hint := range hints {
		fmt.Fprintf(w, "quartier: hint: %s\n", hint)
	}
	return code
}

// outcomeOf returns the exit code and the hints of an error. Faults have the code of a bad input, unless the only ones are
// changed inputs or that the release exists.
func outcomeOf(err error) (code int, hints []string) {
	var faults ingest.Faults
	if !errors.As(err, &faults) {
		for _, outcome := range outcomes {
			if outcome.matches(err) {
				return outcome.code, slices.DeleteFunc([]string{outcome.hint}, func(hint string) bool { return hint == "" })
			}
		}
		return exitFailure, nil
	}
	same := map[error]int{}
	for _, fault := range faults {
		_, more := outcomeOf(fault.Err)
		for _, hint := range more {
			if !slices.Contains(hints, hint) {
				hints = append(hints, hint)
			}
		}
		for _, kind := range []error{ingest.ErrInputChanged, publish.ErrExists} {
			if errors.Is(fault.Err, kind) {
				same[kind]++
			}
		}
	}
	switch len(faults) {
	case same[ingest.ErrInputChanged]:
		return exitInputChanged, hints
	case same[publish.ErrExists]:
		return exitFailure, hints
	}
	return exitBadInput, hints
}
