package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/build/assembly"
	"quartier/build/private"
	"quartier/build/released"
	"quartier/build/verify"
	"quartier/internal/spatialite"
	"quartier/schemas"
	"quartier/serve/state"
)

// planted damages what was built of some requests before it is looked at: a statement for each, with the geog_id as ?1.
func planted(faults map[string]struct{ file, statement string }) func(context.Context, string) (verify.Faults, error) {
	return func(ctx context.Context, dir string) (verify.Faults, error) {
		for request, fault := range faults {
			db, err := released.Open(filepath.Join(dir, schemas.PrivateFile))
			if err != nil {
				return nil, err
			}
			ids, err := released.Values[string](ctx, db, "SELECT geog_id FROM custom_geography WHERE geo_entity_id = '"+request+"'")
			db.Close()
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
	ids := map[string]string{}
	create := func(label, name, boundaries string) {
		r, err := store.CreateRequest(t.Context(), customer, state.Fields{NameEN: name, NameFR: name, Type: "NEIGHBORHOOD", Boundaries: boundaries}, "")
		if err != nil {
			t.Fatal(err)
		}
		ids[label] = r.ID
	}
	for label, name := range map[string]string{"harbour": "race", "old town": "Quartier chinois", "middle": "the church quarter", "canton": "Les Riches", "both banks": "SAFE AND WHITE", "ocean": "Ocean"} {
		create(label, name, w.requests[label].Boundaries)
	}
	for i, name := range []string{"loyer", "young families", "The Poor", "privé"} {
		create(name, name, w.around("port-hollis:neighborhood:102", 0.006+0.001*float64(i), 0.006))
	}
	run := func(says string, args ...string) string {
		t.Helper()
		out, _ := mustRun(t, append([]string{"update", args[0], "--state", dsn}, args[1:]...)...)
		if !strings.Contains(out, says) {
			t.Errorf("%v: no %q in\n%s", args, says, out)
		}
		return out
	}
	run("10 to publish", "start", "--out", file)
	requests, digest, err := schemas.ReadRequests(file)
	if err != nil {
		t.Fatal(err)
	}
	o := w.options("first", requests)
	o.SHA256 = digest
	o.Faults = planted(map[string]struct{ file, statement string }{
		ids["middle"]:   {schemas.ProfilesFile, "UPDATE profile_text SET text = 'It is safe.' WHERE geog_id = ?1 AND ordinal = 0"},
		ids["canton"]:   {schemas.ProfilesFile, "UPDATE profile_fact SET rank = 2 WHERE geog_id = ?1"},
		ids["loyer"]:    {schemas.DemographicsFile, "UPDATE geography_variable SET value = value / 2, lower = NULL, upper = NULL WHERE geog_id = ?1"},
		ids["The Poor"]: {schemas.AccessFile, "UPDATE geography_score SET value = 60000 WHERE geog_id = ?1"},
	})
	scratch, component := t.TempDir(), filepath.Join(dir, "spring-private")
	o.Assembly = filepath.Join(scratch, "assembly.duckdb")
	if err := firstError(os.Mkdir(component, 0o755), assembly.Create(t.Context(), o.Assembly, o.Regions), private.Write(t.Context(), o, component, scratch)); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(w.log.String(), "written again without them"); n != 1 {
		t.Errorf("written again %d times:\n%s", n, w.log.String())
	}
	if _, err := verify.Private(t.Context(), component, scratch); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(w.dir, "first"), filepath.Join(dir, "spring")); err != nil {
		t.Fatal(err)
	}
	out := run("Update 1 could not build 5", "complete", "--releases", dir, "spring")
	for label, want := range map[string]string{
		"middle": "It does not verify: geography g10_", "canton": "ranks from 0 to 1: not so for g10_", "The Poor": "scores are between 0 and 5", "loyer": "add up to ",
		"ocean": "is outside of the states", "harbour": "", "old town": "", "both banks": "", "young families": "", "privé": "",
	} {
		r, err := store.Request(t.Context(), customer.Customer, ids[label])
		status := state.Published
		if want != "" {
			status = state.PublicationPending
		}
		if err != nil || r.Status != status || (r.GeogID != "") != (want == "") {
			t.Errorf("%s is %s as %q: %v", label, r.Status, r.GeogID, err)
		}
		if _, line, _ := strings.Cut(out, ids[label]+" of"); want != "" && !strings.Contains(strings.SplitN(line, "\n", 2)[0], want) {
			t.Errorf("%s: no %q in\n%s", label, want, out)
		}
		if want != "" || label == "both banks" {
			continue
		}
		texts := fmt.Sprint(rows(t, filepath.Join(component, schemas.ProfilesFile), "SELECT text FROM profile_text WHERE geog_id = ?", r.GeogID))
		if !strings.Contains(strings.ToLower(texts), strings.ToLower(r.NameEN)) {
			t.Errorf("no text names %q: %s", r.NameEN, texts)
		}
	}
	run("Update 1 could not build 5", "status")
}
