package drill

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"quartier/serve/account"
	"quartier/serve/servetest"
)

// cell is a request of a product at a place.
type cell struct {
	product string
	target  string
	state   string // where it is
	scores  []string
}

// The points of north and south, as travel times take them.
const northPoint, southPoint = "45.2,-72.8", "44.8,-72.8"

// cells are requests of every product on both sides of the border. A search of geographies answers with what is visible; all
// others are refused outside of the regions.
func cells() (all []cell) {
	for state, at := range map[string][3]string{"CA_QC": {north, servetest.NorthOld, northPoint},
		"US_VT": {south, servetest.SouthOld, southPoint}} {
		for product, targets := range map[string][]string{
			"geographies":  {"/v3/geographies/" + at[1]},
			"pois":         {"/v3/enhanced-pois?" + at[0], "/v3/pois?include=cafes&" + at[0], "/v3/enhanced-pois/" + at[1]},
			"profiles":     {"/v3/profiles?" + at[0], "/v3/profiles/" + at[1]},
			"scores":       {"/v3/scores?" + at[0], "/v3/scores/" + at[1], "/v3/scores?geography_ids=" + at[1]},
			"demographics": {"/v3/demographics?" + at[0], "/v3/demographics/" + at[1]}, "market_stats": {"/v3/market-stats/" + at[1]},
			"travel": {"/v3/reach?mode=walk&minutes=5&" + at[0], "/v3/travel-times/" + at[1] + "?mode=walk",
				"/v3/travel-times?mode=walk&from=" + at[2] + "&to=" + at[2]},
			"typologies": {"/v3/typologies?" + at[0]}, "schools": {"/v3/schools?" + at[0]}, "snapshot": {"/v3/data?include=measures_all&" + at[0]},
			"addresses": {"/v3/addresses/reverse?" + at[0]},
		} {
			for _, target := range targets {
				all = append(all, cell{product: product, target: target, state: state})
			}
		}
		for _, score := range account.Scores {
			all = append(all, cell{"scores", "/v3/scores?include=" + score + "&" + at[0], state, []string{score}},
				cell{"scores", "/v3/scores/" + at[1] + "?include=" + score, state, []string{score}})
		}
	}
	slices.SortFunc(all, func(a, b cell) int { return strings.Compare(a.target, b.target) })
	return all
}

// statusUnder is the status of the answer under an agreement: 0 is one of success. The rules are those of docs/api.md, 7, 10 and 12.
func (c cell) statusUnder(a account.Agreement) int {
	country, _, _ := strings.Cut(c.state, "_")
	switch {
	case len(a.Products) > 0 && !slices.Contains(a.Products, c.product):
		return http.StatusUnauthorized
	case len(a.Scores) > 0 && slices.ContainsFunc(c.scores, func(s string) bool { return !slices.Contains(a.Scores, s) }):
		return http.StatusForbidden
	case len(a.Regions) > 0 && !slices.Contains(a.Regions, country) && !slices.Contains(a.Regions, c.state):
		return http.StatusUnauthorized
	}
	return 0
}

// some draws some of a list, all or none of it one time in three.
func some[T any](r *Run, of []T) (list []T) {
	if r.Random.IntN(3) == 0 {
		return nil
	}
	for _, v := range of {
		if r.Random.IntN(2) == 0 {
			list = append(list, v)
		}
	}
	return list
}

// Agreed asks under drawn agreements for every product at every place: status and shape are those of the rules. It returns how many
// agreements there were.
func Agreed(r *Run, wrap Wrap) (agreements, asked int) {
	s := r.StartWorld(wrap)
	contract := NewContract(r, []byte(s.Get("", "/openapi.json").Body))
	all := cells()
	refused := 0
	for ; agreements == 0 || r.More(asked); agreements++ {
		agreement := account.Agreement{Products: some(r, account.Products), Scores: some(r, account.Scores),
			Regions: some(r, []string{"CA", "US", "CA_QC", "US_VT", "US_OR"}), Rate: 100_000_000}
		client, _, err := s.Store.Create(fmt.Sprint("drawn ", agreements), agreement)
		r.Must(err)
		r.Must(s.Live.Refresh(r.Context()))
		s.Tokens["drawn"], err = s.Authority.Issue(s.Live.Client(client.ID), "")
		r.Must(err)
		for _, c := range all {
			got, want := s.Get("drawn", c.target), c.statusUnder(agreement)
			asked++
			success := got.Status == http.StatusOK || got.Status == http.StatusNoContent || got.Status == http.StatusNotFound
			if want == 0 && !success || want > 0 && got.Status != want {
				r.Fatalf("%s under %+v: %d %.200s, want %d (0: success)", c.target, agreement, got.Status, got.Body, want)
			}
			if want > 0 {
				refused++
			}
			contract.check(r, http.MethodGet, c.target, got)
		}
		r.Must(s.Store.Revoke(client.ID))
	}
	if refused == 0 && agreements > 10 {
		r.Errorf("none of %d requests was refused", asked)
	}
	return agreements, asked
}

// Unscoped is a planted fault: scores of geographies outside of the agreement are not refused.
func Unscoped(right http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorder := httptest.NewRecorder()
		if right.ServeHTTP(recorder, r); recorder.Code == http.StatusUnauthorized && strings.HasPrefix(r.URL.Path, "/v3/scores/") {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		maps.Copy(w.Header(), recorder.Result().Header)
		w.WriteHeader(recorder.Code)
		w.Write(recorder.Body.Bytes())
	})
}
