package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quartier/build/assembly"
	"quartier/build/private"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/spatialite"
	"quartier/schemas"
	"quartier/serve/state"
)

var updateRequests = flag.Int("update-requests", 30,
	"requests of the general update of TestUpdateWithPlacesThatDoNotVerify, of which a twentieth is not built")

// plant is a statement that damages what was built of a request, with the geog_id as ?1, and what the outcome says of it.
type plant struct{ file, statement, says string }

var plants = []plant{
	{schemas.ProfilesFile, "UPDATE profile_text SET text = 'It is safe.' WHERE geog_id = ?1 AND ordinal = 0",
		"It does not verify: geography g10_"},
	{schemas.ProfilesFile, "UPDATE profile_fact SET rank = 2 WHERE geog_id = ?1", "ranks from 0 to 1: not so for g10_"},
	{schemas.DemographicsFile, "UPDATE geography_variable SET value = value / 2, lower = NULL, upper = NULL WHERE geog_id = ?1", "add up to "},
	{schemas.AccessFile, "UPDATE geography_score SET value = 60000 WHERE geog_id = ?1", "scores are between 0 and 5"},
}

// planted damages what was built of some requests before it is looked at.
func planted(faults map[string]plant) func(context.Context, string) (verify.Faults, error) {
	return func(ctx context.Context, dir string) (verify.Faults, error) {
		db, err := released.Open(filepath.Join(dir, schemas.PrivateFile))
		if err != nil {
			return nil, err
		}
		defer db.Close()
		for request, fault := range faults {
			ids, err := released.Values[string](ctx, db, "SELECT geog_id FROM custom_geography WHERE geo_entity_id = '"+request+"'")
			if err != nil || len(ids) == 0 {
				continue
			}
			file, err := spatialite.Open(filepath.Join(dir, fault.file))
			if err == nil {
				_, err = file.Exec(fault.statement, ids[0])
				file.Close()
			}
			if err != nil {
				return nil, err
			}
		}
		return verify.PrivateFaults(ctx, dir)
	}
}

// askedPlace is a request of the test, and what the outcome says where it is not built.
type askedPlace struct{ name, boundaries, says string }

// askedPlaces are places with names of words that are never said; a twentieth is to be damaged, and one is in the sea.
func askedPlaces(w *customTowns) (all []askedPlace, faults map[int]plant) {
	words := []string{"race", "Quartier chinois", "the church quarter", "Les Riches", "SAFE AND WHITE", "loyer", "young families",
		"The Poor", "privé"}
	faults = map[int]plant{}
	for i := range *updateRequests {
		key := []string{"port-hollis:neighborhood:101", "port-hollis:neighborhood:102", "saint-aubin:quartier:Q01",
			"saint-aubin:quartier:Q03"}[i%4]
		p := askedPlace{name: words[i%len(words)], boundaries: w.around(key, 0.005+0.00001*float64(i), 0.006)}
		if i%20 == 7 {
			faults[i] = plants[i/20%len(plants)]
			p.says = faults[i].says
		}
		all = append(all, p)
	}
	return append(all, askedPlace{"Ocean", w.requests["ocean"].Boundaries, "is outside of the states"}), faults
}

// TestUpdateWithPlacesThatDoNotVerify runs a general update of places with names of words that are never said, of which some are
// damaged in ways that verify finds. At the first try the others are published, and these have reasons.
func TestUpdateWithPlacesThatDoNotVerify(t *testing.T) {
	w := newCustomTowns(t)
	dir, file := t.TempDir(), filepath.Join(t.TempDir(), "requests.json")
	dsn := "sqlite:" + filepath.Join(t.TempDir(), "state.db")
	store, err := state.Open(dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	places, at := askedPlaces(w)
	ids, faults, refused := make([]string, len(places)), map[string]plant{}, 0
	for i, p := range places {
		r, err := store.CreateRequest(t.Context(), customer,
			state.Fields{NameEN: p.name, NameFR: p.name, Type: "NEIGHBORHOOD", Boundaries: p.boundaries}, "")
		if err != nil {
			t.Fatal(err)
		}
		if ids[i] = r.ID; p.says != "" {
			refused++
		}
		if f, found := at[i]; found {
			faults[r.ID] = f
		}
	}
	run := func(says string, args ...string) string {
		t.Helper()
		out, _ := mustRun(t, append([]string{"update", args[0], "--state", dsn}, args[1:]...)...)
		if !strings.Contains(out, says) {
			t.Errorf("%v: no %q in\n%s", args, says, out)
		}
		return out
	}
	run("General update 1", "start", "--out", file)
	requests, digest, err := schemas.ReadRequests(file)
	if err != nil {
		t.Fatal(err)
	}
	o := w.options("first", requests)
	o.SHA256, o.Faults = digest, planted(faults)
	scratch, component := t.TempDir(), filepath.Join(dir, "spring-private")
	o.Assembly = filepath.Join(scratch, "assembly.duckdb")
	began := time.Now()
	if err := firstError(os.Mkdir(component, 0o755), assembly.Create(t.Context(), o.Assembly, o.Regions),
		private.Write(t.Context(), o, component, scratch)); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	if n := strings.Count(w.log.String(), "written again without them"); n != 1 {
		t.Errorf("written again %d times:\n%s", n, w.log.String())
	}
	if _, err := verify.Private(t.Context(), component, scratch); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(w.dir, "first"), filepath.Join(dir, "spring")); err != nil {
		t.Fatal(err)
	}
	out := run(fmt.Sprintf("Update 1 could not build %d", refused), "complete", "--releases", dir, "spring")
	published := 0
	for i, p := range places {
		r, err := store.Request(t.Context(), customer.Customer, ids[i])
		status := state.Published
		if p.says != "" {
			status = state.PublicationPending
		}
		if err != nil || r.Status != status || (r.GeogID != "") != (p.says == "") {
			t.Errorf("%s is %s as %q: %v", p.name, r.Status, r.GeogID, err)
		}
		if p.says != "" {
			_, line, _ := strings.Cut(out, ids[i]+" of")
			if line, _, _ = strings.Cut(line, "\n"); !strings.Contains(line, p.says) {
				t.Errorf("%s: no %q in %s", p.name, p.says, line)
			}
			continue
		}
		published++
		texts := fmt.Sprint(rows(t, filepath.Join(component, schemas.ProfilesFile), "SELECT text FROM profile_text WHERE geog_id = ?", r.GeogID))
		if name := strings.TrimPrefix(strings.TrimPrefix(p.name, "The "), "Les "); !strings.Contains(strings.ToLower(texts),
			strings.ToLower(name)) {
			t.Errorf("no text names %q: %s", p.name, texts)
		}
	}
	run(fmt.Sprintf("Update 1 could not build %d", refused), "status")
	t.Logf("%d of %d requests published, %d with a reason, written in %.1f s", published, len(places), refused, took.Seconds())
}

// A place that is published and does not verify any more stays as it was published. Where that does not verify either, or the fault is
// of no request, the component is not written.
func TestPublishedPlacesThatDoNotVerify(t *testing.T) {
	w := newCustomTowns(t)
	_, first := w.build("first")
	harbour := w.requests["harbour"].ID
	damage, rounds := planted(map[string]plant{harbour: plants[1]}), 0
	o := w.options("first", w.file())
	o.Faults = func(ctx context.Context, dir string) (verify.Faults, error) {
		if rounds++; rounds == 1 {
			return damage(ctx, dir)
		}
		return verify.PrivateFaults(ctx, dir)
	}
	folder, m, outcomes, err := writePrivate(t, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range outcomes.Outcomes {
		if out.ID == harbour && (out.GeogID != "" || !strings.Contains(out.Problem, plants[1].says)) {
			t.Errorf("%+v", out)
		}
	}
	if m.Counts.Geographies != 5 || m.Counts.Unbuildable != 4 {
		t.Errorf("counts %+v", m.Counts)
	}
	before, id := w.last, first["harbour"].GeogID
	for _, p := range products {
		then := w.figures(before, p.file, p.table, id, "")
		if now := w.figures(folder, p.file, p.table, id, ""); !slices.Equal(then, now) {
			t.Errorf("%s was\n%s\nand is\n%s", p.table, strings.Join(then, "\n"), strings.Join(now, "\n"))
		}
	}
	for name, faults := range map[string]func(context.Context, string) (verify.Faults, error){
		"ranks from 0 to 1": damage, // in each round
		"of no request": func(context.Context, string) (verify.Faults, error) {
			return verify.Faults{{GeogID: "g10_aaaaaaaaaa", Err: errors.New("a fault of no request")}}, nil
		},
	} {
		o := w.options("first", w.file())
		o.Faults = faults
		if _, _, _, err := writePrivate(t, o); !errors.Is(err, verify.ErrUnverified) || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
