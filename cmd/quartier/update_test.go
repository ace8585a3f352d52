package main

import (
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/servetest"
	"quartier/serve/state"
)

// postgres is for tests of commands on both stores; TestMain stops it.
var postgres testenv.Postgres

// onBothStates runs a test with an empty state of each kind.
func onBothStates(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, "sqlite:"+filepath.Join(t.TempDir(), "state.db")) })
	t.Run("postgres", func(t *testing.T) { test(t, postgres.Database(t)) })
}

// desk is an operator's: a state, a folder of releases with places, and a customer.
type desk struct {
	t              *testing.T
	dsn, dir, file string // state, folder of releases, requests file
	store          *state.Store
}

var customer = state.Caller{Customer: "Acme", ClientID: "qc_acme"}

func newDesk(t *testing.T, dsn string) *desk {
	t.Helper()
	dir := t.TempDir()
	d := &desk{t: t, dsn: dsn, dir: filepath.Join(dir, "releases"), file: filepath.Join(dir, "requests.json")}
	if _, err := servetest.Write(filepath.Join(d.dir, "may"), servetest.Release{}); err != nil {
		t.Fatal(err)
	}
	store, err := state.Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	d.store = store
	return d
}

// run runs a step of quartier update and expects an exit code and a text.
func (d *desk) run(code int, says string, args ...string) {
	d.t.Helper()
	args = append([]string{"update", args[0], "--state", d.dsn}, args[1:]...)
	got, out, errs := quartier(args...)
	if got != code || !strings.Contains(out+errs, says) {
		d.t.Errorf("%v: exit code %d, want %d and %q in\n%s%s", args, got, code, says, out, errs)
	}
}

func (d *desk) create(name string) string {
	d.t.Helper()
	r, err := d.store.CreateRequest(d.t.Context(), customer,
		state.Fields{NameEN: name, Type: "CITY", Boundaries: "POLYGON ((0 0, 1 0, 1 1, 0 0))"}, "")
	if err != nil {
		d.t.Fatal(err)
	}
	return r.ID
}

func (d *desk) shows(id string, status state.Status) state.Request {
	d.t.Helper()
	r, err := d.store.Request(d.t.Context(), customer.Customer, id)
	if err != nil || r.Status != status {
		d.t.Errorf("%s is %s, want %s: %v", r.NameEN, r.Status, status, err)
	}
	return r
}

// build writes a component private for the requests file beside the places, without packs: no server opens it. It does not build
// requests of some names. extra is the size of another file.
func (d *desk) build(extra int64, unbuildable ...string) {
	d.t.Helper()
	folder := filepath.Join(d.dir, "may-private")
	requests, digest, err := schemas.ReadRequests(d.file)
	must := func(err error) {
		d.t.Helper()
		if err != nil {
			d.t.Fatal(err)
		}
	}
	must(err)
	outcomes := &schemas.Outcomes{Schema: schemas.RequestsSchema, Update: requests.Update, Requests: digest}
	for _, r := range requests.Requests {
		o := schemas.Outcome{ID: r.ID, Version: r.Version, GeogID: fmt.Sprintf("g30_%s", r.ID[:8])}
		if slices.Contains(unbuildable, r.NameEN) {
			o.GeogID, o.Problem = "", "no land inside its boundaries"
		}
		outcomes.Outcomes = append(outcomes.Outcomes, o)
	}
	data, err := outcomes.Encode()
	must(err)
	must(os.MkdirAll(folder, 0o755))
	must(os.WriteFile(filepath.Join(folder, schemas.OutcomesFile), data, 0o644))
	places, err := schemas.ReadManifest(filepath.Join(d.dir, "may"))
	must(err)
	sum := func(data []byte) string { s := sha256.Sum256(data); return hex.EncodeToString(s[:]) }
	m := &schemas.PrivateManifest{Schema: schemas.ManifestSchema, History: schemas.HistorySchema, Component: schemas.Private,
		AsOf: requests.AsOf, ToolVersion: "test", Places: places.Digest, Update: requests.Update, Requests: digest}
	m.Files = []schemas.ReleaseFile{{Name: schemas.OutcomesFile, Bytes: int64(len(data)), SHA256: sum(data)}}
	if extra > 0 {
		zeros := make([]byte, extra)
		must(os.WriteFile(filepath.Join(folder, schemas.OwnersPack), zeros, 0o644))
		m.Files = append(m.Files, schemas.ReleaseFile{Name: schemas.OwnersPack, Bytes: extra, SHA256: sum(zeros)})
	}
	m.Digest, err = m.ComputeDigest()
	must(err)
	data, err = m.Encode()
	must(err)
	must(os.WriteFile(filepath.Join(folder, schemas.ManifestFile), data, 0o644))
}

// published is the private component that servers are given, and its generation.
func (d *desk) published() (digest string, generation int64) {
	p, err := schemas.ReadPointer(d.dir)
	if err != nil {
		d.t.Error(err)
	}
	if p == nil {
		return "", 0
	}
	c, _ := p.Component(schemas.Private)
	return c.Digest, p.Generation
}

// TestUpdateCommands runs general updates with commands: what they print, their exit codes, and what they change.
func TestUpdateCommands(t *testing.T) {
	onBothStates(t, func(t *testing.T, dsn string) {
		d := newDesk(t, dsn)
		good, bad := d.create("Old Port"), d.create("Open Sea")
		complete := []string{"complete", "--releases", d.dir, "may"}
		d.run(exitOK, "There was no general update yet", "status")
		d.run(exitFailure, "no general update is running: there was none yet", "abort")
		d.run(exitBadInput, "no component private", complete...)
		d.run(exitUsage, "NAME is required", "complete", "--releases", d.dir)
		d.run(exitFailure, "no such file", "start", "--out", filepath.Join(d.file, "none"))
		d.run(exitFailure, "is not a file", "start", "--out", t.TempDir())
		d.shows(good, state.PublicationPending) // nothing was frozen without a place for the file

		d.run(exitOK, "General update 1 of ", "start", "--out", d.file)
		d.shows(good, state.PublicationProcessing)
		first, err := os.ReadFile(d.file)
		if info, serr := os.Stat(d.file); err != nil || serr != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file has the mode %v: %v, %v", info.Mode(), err, serr)
		}
		d.run(exitHeld, "a general update is running: update 1, started by "+operator(), "start", "--out", d.file+"2")
		if entries, err := os.ReadDir(filepath.Dir(d.file)); err != nil || len(entries) != 2 {
			t.Errorf("%v beside the file: %v", entries, err)
		}
		d.run(exitOK, "2 to publish, 0 to deprecate or deprecated before, 0 to keep", "file", "--out", d.file)
		if again, err := os.ReadFile(d.file); err != nil || string(again) != string(first) {
			t.Errorf("the file is another one now: %v", err)
		}
		d.build(0, "Open Sea")
		d.run(exitOK, "General update 1 is aborted; its requests are pending again", "abort")
		d.shows(good, state.PublicationPending)
		d.run(exitFailure, "the last one, 1, is aborted", complete...)

		d.run(exitOK, "General update 2 of ", "start", "--out", d.file)
		d.run(exitBadInput, "they are of update 1", complete...)
		if digest, _ := d.published(); digest != "" {
			t.Errorf("outcomes of an update that was aborted are published: %s", digest)
		}
		d.build(0, "Open Sea")
		d.run(exitOK, `of Acme, "Open Sea" (publish): no land inside its boundaries`, complete...)
		if r := d.shows(good, state.Published); r.GeogID != "g30_"+good[:8] || r.PublishedAt == "" {
			t.Errorf("%+v", r)
		}
		d.shows(bad, state.PublicationPending)
		digest, generation := d.published()
		d.run(exitOK, "General update 2 is complete", complete...) // again
		if d2, g2 := d.published(); digest == "" || d2 != digest || g2 != generation {
			t.Errorf("generation %d of %s became %d of %s", generation, digest, g2, d2)
		}
		d.run(exitOK, "Update 2 could not build 1", "status")
		d.run(exitOK, `{"n":1,"update":2,"geo_entity_id":"`+good+`","customer":"Acme","version":1,"action":"publish","geog_id":"g30_`+good[:8]+
			`","at":"20`, "events")
		if code, out, _ := quartier("update", "events", "--state", dsn, "--after", "1"); code != exitOK || out != "" {
			t.Errorf("no events after the first: %d %q", code, out)
		}
	})
}

// A request that is excluded is in no update until it is included again, and what was built with it is refused.
func TestUpdateExclude(t *testing.T) {
	d := newDesk(t, "sqlite:"+filepath.Join(t.TempDir(), "state.db"))
	good, bad := d.create("Old Port"), d.create("Odd Place")
	complete := []string{"complete", "--releases", d.dir, "may"}
	d.run(exitUsage, "ID is required", "exclude", "--why", "x")
	d.run(exitUsage, "--why is empty", "exclude", "--why", " ", bad)
	d.run(exitFailure, "no such custom geography", "exclude", "--why", "x", "none")
	d.run(exitOK, "2 to publish", "start", "--out", d.file)
	d.build(0)
	d.run(exitOK, "It left general update 1: write its requests again by quartier update file", "exclude", "--why",
		"it ends\x1b the build", bad)
	d.run(exitOK, "requests  not written; quartier update file --out FILE writes them", "status")
	d.run(exitOK, `of Acme, "Odd Place" since 20`, "status")
	d.run(exitOK, `UTC: it ends`, "status")
	d.run(exitBadInput, "the outcomes are not those of the general update", complete...)
	d.run(exitOK, "1 to publish", "file", "--out", d.file)
	d.build(0)
	d.run(exitOK, "General update 1 is complete", complete...)
	d.shows(good, state.Published)
	d.shows(bad, state.PublicationPending)
	d.run(exitFailure, "it is PUBLISHED, and waits for no update", "exclude", "--why", "x", good)
	d.run(exitOK, "0 to publish, 0 to deprecate or deprecated before, 1 to keep", "start", "--out", d.file)
	d.run(exitOK, "is part of the next general update that starts", "include", bad)
	d.run(exitFailure, "is not excluded", "include", bad)
	d.run(exitOK, "is aborted", "abort")
	d.run(exitOK, "1 to publish, 0 to deprecate or deprecated before, 1 to keep", "start", "--out", d.file)
}

// A release that cannot be published leaves the update running, to be built again or aborted.
func TestUpdateWithABadRelease(t *testing.T) {
	d := newDesk(t, "sqlite:"+filepath.Join(t.TempDir(), "state.db"))
	id := d.create("Old Port")
	complete := []string{"complete", "--releases", d.dir, "may"}
	d.run(exitOK, "General update 1 of ", "start", "--out", d.file)
	d.build(100)
	pack := filepath.Join(d.dir, "may-private", schemas.OwnersPack)
	if err := os.Truncate(pack, 99); err != nil {
		t.Fatal(err)
	}
	d.run(exitNotVerified, "99 bytes of 100", complete...)
	if err := os.Remove(pack); err != nil {
		t.Fatal(err)
	}
	d.run(exitNotVerified, "owners.pack is missing", complete...)
	if err := os.WriteFile(filepath.Join(d.dir, "may-private", schemas.OutcomesFile), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	d.run(exitBadInput, "outcomes.json: unexpected EOF", complete...)
	if _, err := servetest.Write(filepath.Join(d.dir, "may"), servetest.Release{POIs: 402}); err != nil {
		t.Fatal(err)
	}
	d.shows(id, state.PublicationProcessing)
	d.run(exitOK, "is aborted", "abort")
	d.shows(id, state.PublicationPending)
}

// TestKilledCompletion kills the program with SIGKILL before and after it publishes; the next completion finishes the update.
func TestKilledCompletion(t *testing.T) {
	var d *desk
	var id string
	testenv.Eventually(t, "completions are killed in time", func() (killed bool) {
		d, id, killed = killedTwice(t)
		return killed
	})
	digest, generation := d.published()
	if r := d.shows(id, state.PublicationProcessing); r.GeogID != "" || digest == "" {
		t.Errorf("%+v, published %q", r, digest)
	}
	d.run(exitOK, "run quartier update complete again", "status")
	d.run(exitFailure, "run quartier update complete again", "abort")
	d.run(exitOK, "General update 1 is complete", "complete", "--releases", d.dir, "may")
	if r := d.shows(id, state.Published); r.GeogID == "" {
		t.Errorf("%+v", r)
	}
	if again, g := d.published(); again != digest || g != generation {
		t.Errorf("published generation %d of %s, then %d of %s", generation, digest, g, again)
	}
	_, out, _ := quartier("update", "events", "--state", d.dsn)
	var event state.Publication
	if err := json.Unmarshal([]byte(out), &event); err != nil || event.ID != id {
		t.Errorf("events %q: %v", out, err)
	}
}

// killedTwice makes a request whose update was to be completed twice: the first completion was killed before it published, the
// second after it had, and before it wrote so to the state. killed is false if one of them was faster.
func killedTwice(t *testing.T) (d *desk, id string, killed bool) {
	path := filepath.Join(t.TempDir(), "state.db")
	d = newDesk(t, "sqlite:"+path)
	id = d.create("Old Port")
	db, err := sql.Open("sqlite3", path+"?_busy_timeout=60000&_txlock=immediate")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	d.run(exitOK, "General update 1 of ", "start", "--out", d.file)
	d.build(256 << 20) // some time passes until it is compared with the manifest

	killed = d.killed(func() bool { return d.intends(db) })
	if digest, _ := d.published(); digest != "" || !killed {
		return d, id, false
	}
	d.shows(id, state.PublicationProcessing)
	d.run(exitFailure, "run quartier update complete again", "abort")

	if _, err := db.Exec(`UPDATE general_update SET publishing = NULL`); err != nil { // to see the next intention
		t.Fatal(err)
	}
	var locked *sql.Tx // from the intention on, so that nothing is written back
	killed = d.killed(func() bool {
		if locked == nil && d.intends(db) {
			if locked, err = db.Begin(); err != nil {
				t.Fatal(err)
			}
		}
		digest, _ := d.published()
		return digest != ""
	})
	if locked == nil {
		return d, id, false
	}
	if err := locked.Rollback(); err != nil {
		t.Fatal(err)
	}
	last, err := d.store.Request(t.Context(), customer.Customer, id)
	if err != nil {
		t.Fatal(err)
	}
	return d, id, killed && last.Status == state.PublicationProcessing
}

// intends reports whether a completion is about to publish.
func (d *desk) intends(db *sql.DB) bool {
	var n int
	if err := db.QueryRow(`SELECT count(*) FROM general_update WHERE publishing IS NOT NULL`).Scan(&n); err != nil {
		d.t.Error(err)
	}
	return n == 1
}

// killed starts a completion in a process of its own and kills it when it is at a point; false: it ended before.
func (d *desk) killed(at func() bool) bool {
	d.t.Helper()
	process := exec.Command(os.Args[0], "update", "complete", "--state", d.dsn, "--releases", d.dir, "may")
	process.Env = append(os.Environ(), asProgram+"=1")
	var output strings.Builder
	process.Stdout, process.Stderr = &output, &output
	if err := process.Start(); err != nil {
		d.t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		process.Wait()
		close(ended)
	}()
	defer func() {
		process.Process.Kill()
		<-ended
	}()
	for !at() {
		select {
		case <-ended:
			d.t.Logf("the completion ended before it was killed:\n%s", output.String())
			return false
		case <-time.After(time.Millisecond):
		}
	}
	process.Process.Signal(syscall.SIGKILL)
	<-ended
	return !process.ProcessState.Exited()
}
