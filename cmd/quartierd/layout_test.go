package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"quartier/internal/testenv"
	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/state"
)

// programs and recordings are given by cmd/quartier/testdata/upgrade/make.sh.
var (
	programs   = flag.String("programs", "", "folder of an earlier quartier and quartierd, whose answers TestEarlierLayouts records")
	recordings = flag.String("recordings", "", "folder of releases of an earlier layout, to which TestEarlierLayouts writes answers.json")
)

// places are points of the synthetic towns: in the middle of both, in the custom geography, beside the towns and outside.
var places = []string{
	"lat=45.0341&lng=-72.6168", "lat=44.9351&lng=-72.5876", "lat=44.96&lng=-72.56", "lat=44.9733&lng=-72.6234", "lat=45.2&lng=-72.2",
}

// TestEarlierLayouts serves releases of the layouts from schemas.ServedFrom on, among them private places and market statistics,
// and compares the answers with those of the programs that made them.
func TestEarlierLayouts(t *testing.T) {
	if *recordings != "" {
		credentials, dsn := account.Credentials{}, filepath.Join(t.TempDir(), "state.sqlite")
		made, err := exec.Command(filepath.Join(*programs, "quartier"), "account", "create", "--state", dsn,
			"--customer", "Acme", "--custom-geographies", "--rate", "1000").Output()
		must(t, err)
		must(t, json.Unmarshal(made, &credentials))
		answers, err := json.Marshal(answersOf(t, filepath.Join(*programs, "quartierd"), *recordings, dsn, credentials))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(*recordings, "answers.json"), answers, 0o644))
		return
	}
	for layout := schemas.ServedFrom; layout < schemas.ManifestSchema; layout++ {
		t.Run(fmt.Sprint(layout), func(t *testing.T) {
			dir, dsn := t.TempDir(), filepath.Join(t.TempDir(), "state.sqlite")
			testenv.Unpack(t, fmt.Sprintf("../quartier/testdata/upgrade/%d.tar.zst", layout), dir)
			recorded, err := os.ReadFile(filepath.Join(dir, "answers.json"))
			must(t, err)
			want := map[string]answer{}
			must(t, json.Unmarshal(recorded, &want))
			store, err := state.Open(dsn)
			must(t, err)
			defer store.Close()
			_, credentials, err := store.Create("Acme", account.Agreement{CustomGeographies: true, Rate: 1000})
			must(t, err)
			got, found := answersOf(t, os.Args[0], dir, dsn, credentials), 0
			if len(got) != len(want) || len(want) < 10*len(places) {
				t.Errorf("%d answers, recorded are %d", len(got), len(want))
			}
			for path, w := range want {
				if g := got[path]; g.Status != w.Status || fmt.Sprint(known(g.Body)) != fmt.Sprint(known(w.Body)) {
					t.Errorf("%s: %d %v\nrecorded is %d %v", path, g.Status, g.Body, w.Status, w.Body)
				}
				if w.Status == http.StatusOK {
					found++
				}
			}
			t.Logf("%d answers, %d of them with data", len(want), found)
		})
	}
}

// answer is a status and a body; nil: empty.
type answer struct {
	Status int `json:"status"`
	Body   any `json:"body"`
}

// answersOf starts a program over a folder of releases, and asks it about places and the geographies there.
func answersOf(t *testing.T, program, releases, dsn string, credentials account.Credentials) map[string]answer {
	t.Helper()
	p := startProgram(t, program, nil, "--releases", releases, "--state", dsn, "--addr", "127.0.0.1:0")
	base := p.base()
	testenv.Eventually(t, "ready", func() bool { return status(base+"/readyz", "") == http.StatusOK })
	token, answers := grant(t, base, credentials), map[string]answer{}
	ask := func(path string) any {
		request, err := http.NewRequest(http.MethodGet, base+path, nil)
		must(t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		must(t, err)
		a := answer{Status: response.StatusCode}
		if len(data) > 0 {
			must(t, json.Unmarshal(data, &a.Body))
		}
		answers[path] = a
		return a.Body
	}
	var ids []string
	for _, place := range places {
		ids = append(ids, idsIn(ask("/v3/geographies?"+place))...)
		for _, path := range []string{"enhanced-pois?radius=600&limit=5", "schools?include_catchments=true", "demographics?radius=800",
			"profiles?level=10", "scores?geography_levels=10,30", "data?include=pois_count,scores_all", "typologies?language=fr"} {
			ask("/v3/" + path + "&" + place)
		}
	}
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		for _, path := range []string{"geographies/%s?include_geometry=true", "scores/%s", "profiles/%s?locale=fr", "demographics/%s",
			"market-stats/%s?property_types=single_family&intervals=30d,2024Q4,2023-05",
			"enhanced-pois/%s?buffer=100&categories=parks,cafes&limit=3"} {
			ask("/v3/" + fmt.Sprintf(path, id))
		}
	}
	ask("/v3/market-stats/status")
	return answers
}

// idsIn are the geog_ids in the body of an answer.
func idsIn(body any) (ids []string) {
	switch v := body.(type) {
	case map[string]any:
		if id, ok := v["geog_id"].(string); ok {
			ids = append(ids, id)
		}
		for _, member := range v {
			ids = append(ids, idsIn(member)...)
		}
	case []any:
		for _, item := range v {
			ids = append(ids, idsIn(item)...)
		}
	}
	return ids
}

// known is a body without what the program says of a release in its own words.
func known(body any) any {
	switch v := body.(type) {
	case map[string]any:
		delete(v, "data_vintage")
		for _, member := range v {
			known(member)
		}
	case []any:
		for _, item := range v {
			known(item)
		}
	}
	return body
}
