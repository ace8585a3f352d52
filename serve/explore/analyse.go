package explore

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas"
	"quartier/serve/explore/analysis"
)

// analyse asks the API first, whose rights and limits are those of the request: what it answers with a status from refused on is
// passed on. Then it answers with what compute makes of the release; 204 for nil.
func (e *Explorer) analyse(v *visit, path, query string, refused int, compute func(*analysis.Reader) any) error {
	api := &captured{header: v.W.Header()}
	v.API(api, callOf(v.HTTP, path, query), v.account)
	if api.status >= refused {
		return api.send(v)
	}
	r, err := e.openRelease(v)
	if err != nil {
		return err
	}
	defer r.Done()
	a := &v.account.Agreement
	data := compute(&analysis.Reader{Release: r, Agreement: a, Sees: func(i int) bool { return allowsAny(a, r.Regions(i)) }})
	if data == nil {
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	body, err := json.Marshal(map[string]any{"data": data})
	if err == nil {
		write(v, http.StatusOK, jsonType, body)
	}
	return err
}

// answerContext answers with the figures of a geography beside those of what contains it, and its ranks among its peers:
// /explore/context?geog_id=g30_….
func (e *Explorer) answerContext(v *visit, _ string) error {
	id := v.HTTP.URL.Query().Get("geog_id")
	if _, ok := schemas.LevelOfGeogID(id); !ok {
		return errNoPath
	}
	path := "/v3/geographies/" + url.PathEscape(id)
	return e.analyse(v, path, "", http.StatusBadRequest, func(r *analysis.Reader) any {
		return r.Context(id, parentsOf(r.Release, id), &e.views.of(r.Release, v.account).peers)
	})
}

// answerAreas answers with one figure of the areas of a level in a box: /explore/areas?level=30&figure=cafes&bbox=-76,39,-75,40. The
// API has nothing of the kind; it is asked for what is in the middle of the box for the sake of its limits.
func (e *Explorer) answerAreas(v *visit, _ string) error {
	q := v.HTTP.URL.Query()
	level := slices.IndexFunc(schemas.Levels, func(l schemas.Level) bool {
		return l <= schemas.Metro && strconv.Itoa(int(l)) == q.Get("level")
	})
	figure := slices.IndexFunc(analysis.Figures, func(f analysis.Figure) bool { return f.ID == q.Get("figure") })
	box, ok := parseBox(q.Get("bbox"))
	if !ok || level < 0 || figure < 0 {
		return errBadAnalysis
	}
	if a := &v.account.Agreement; !a.AllowsProduct("geographies") || !analysis.Figures[figure].AllowedBy(a) {
		return errNotInAgreement
	}
	middle := fmt.Sprintf("lat=%.7f&lng=%.7f", box.Center()[1], box.Center()[0])
	return e.analyse(v, "/v3/geographies", middle, http.StatusTooManyRequests, func(r *analysis.Reader) any {
		return r.Areas(schemas.Levels[level], figure, *box)
	})
}

// answerRings answers with the streets within minutes on foot of a point, 204 where no street is near:
// /explore/rings?lat=45.4&lng=-75.7&minutes=5,10,15. The rights are those to the scores there.
func (e *Explorer) answerRings(v *visit, _ string) error {
	q := v.HTTP.URL.Query()
	minutes, ok := parseMinutes(q.Get("minutes"))
	lat, noLat := strconv.ParseFloat(q.Get("lat"), 64)
	lng, noLng := strconv.ParseFloat(q.Get("lng"), 64)
	if !ok || noLat != nil || noLng != nil {
		return errBadAnalysis
	}
	return e.analyse(v, "/v3/scores", queryOfScores(v.HTTP.URL.RawQuery), http.StatusBadRequest, func(r *analysis.Reader) any {
		if rings, ok := r.Rings(lng, lat, minutes); ok {
			return rings
		}
		return nil
	})
}

// parseMinutes parses up to six whole numbers from 1 to 30 that ascend: "5,10,15".
func parseMinutes(text string) (minutes []int, ok bool) {
	for part := range strings.SplitSeq(text, ",") {
		n, err := strconv.ParseUint(part, 10, 8)
		if err != nil || n < 1 || n > 30 || len(minutes) == 6 || len(minutes) > 0 && int(n) <= minutes[len(minutes)-1] {
			return nil, false
		}
		minutes = append(minutes, int(n))
	}
	return minutes, true
}
