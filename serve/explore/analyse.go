package explore

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas"
	"quartier/serve/explore/analysis"
	"quartier/serve/param"
	"quartier/serve/release"
)

// analysed are the parameters of /explore/context, /explore/areas and /explore/rings.
type analysed struct {
	id, level, figure, box, minutes param.Value[string]
	lat, lng                        param.Value[float64]
}

var (
	contextSet = param.NewSet[analysed](nil,
		param.Phrase("geog_id", 40, func(q *analysed) *param.Value[string] { return &q.id }).Required())
	areasSet = param.NewSet[analysed](nil,
		param.Phrase("level", 2, func(q *analysed) *param.Value[string] { return &q.level }).Required(),
		param.Phrase("figure", 80, func(q *analysed) *param.Value[string] { return &q.figure }).Required(),
		param.Phrase("bbox", 200, func(q *analysed) *param.Value[string] { return &q.box }).Required())
	ringsSet = param.NewSet[analysed](nil,
		param.Latitude("lat", func(q *analysed) *param.Value[float64] { return &q.lat }).Required(),
		param.Longitude("lng", func(q *analysed) *param.Value[float64] { return &q.lng }).Required(),
		param.Phrase("minutes", 40, func(q *analysed) *param.Value[string] { return &q.minutes }).Required())
)

// asks asks the API on behalf of a request, whose rights and limits are those of this call. It returns what the API refuses; nil
// where it answers, or has nothing there.
func (e *Explorer) asks(v *visit, path, query string) *captured {
	api := &captured{header: v.W.Header()}
	v.API(api, callOf(v.HTTP, path, query), v.account)
	if api.status == http.StatusOK || api.status == http.StatusNoContent {
		return nil
	}
	return api
}

// readerOf reads a release as the account may see it.
func (v *visit) readerOf(r *release.Release) *analysis.Reader {
	a := &v.account.Agreement
	return &analysis.Reader{Release: r, Allows: a.AllowsProduct, Scores: a.AllowsScore,
		Sees: func(i int) bool { return allowsAny(a, r.Regions(i)) }}
}

// answerContext answers with the figures of a geography beside those of what contains it, and its ranks among its peers:
// /explore/context?geog_id=g30_…. The API is asked for the geography first, and what it refuses is passed on.
func (e *Explorer) answerContext(v *visit, _ string) error {
	var q analysed
	if _, err := contextSet.Parse(v.HTTP.URL.RawQuery, &q, nil); err != nil {
		return errNoPath
	}
	if _, ok := schemas.LevelOfGeogID(q.id.V); !ok {
		return errNoPath
	}
	if refused := e.asks(v, "/v3/geographies/"+url.PathEscape(q.id.V), ""); refused != nil {
		return refused.send(v)
	}
	r, err := e.openRelease(v)
	if err != nil {
		return err
	}
	defer r.Done()
	return writeData(v, v.readerOf(r).Context(q.id.V, parentsOf(r, q.id.V), &e.views.of(r, v.account).peers))
}

// answerAreas answers with one figure of the areas of a level in a box: /explore/areas?level=30&figure=cafes&bbox=-76,39,-75,40. The
// API has nothing of the kind; it is asked for what is in the middle of the box, so that its limits are those of this.
func (e *Explorer) answerAreas(v *visit, _ string) error {
	var q analysed
	if _, err := areasSet.Parse(v.HTTP.URL.RawQuery, &q, nil); err != nil {
		return errBadAreas
	}
	level, err := strconv.Atoi(q.level.V)
	box, ok := parseBox(q.box.V)
	figure := slices.IndexFunc(analysis.Figures, func(f analysis.Figure) bool { return f.ID == q.figure.V })
	if err != nil || !ok || figure < 0 || level > int(schemas.Metro) || !slices.Contains(schemas.Levels, schemas.Level(level)) {
		return errBadAreas
	}
	if !v.account.Agreement.AllowsProduct("geographies") {
		return errNotInAgreement
	}
	middle := url.Values{"lat": {degrees(box.Center()[1])}, "lng": {degrees(box.Center()[0])}}
	if refused := e.asks(v, "/v3/geographies", middle.Encode()); refused != nil && refused.status >= http.StatusTooManyRequests {
		return refused.send(v)
	}
	r, err := e.openRelease(v)
	if err != nil {
		return err
	}
	defer r.Done()
	reader := v.readerOf(r)
	if !reader.May(&analysis.Figures[figure]) {
		return errNotInAgreement
	}
	return writeData(v, reader.Areas(schemas.Level(level), figure, *box))
}

func degrees(x float64) string { return strconv.FormatFloat(x, 'f', 7, 64) }

// answerRings answers with the streets within minutes on foot of a point: /explore/rings?lat=45.4&lng=-75.7&minutes=5,10,15. The API
// is asked for the scores there first, and what it refuses is passed on; 204 where no street is near.
func (e *Explorer) answerRings(v *visit, _ string) error {
	var q analysed
	_, err := ringsSet.Parse(v.HTTP.URL.RawQuery, &q, nil)
	minutes, ok := parseMinutes(q.minutes.V)
	if err != nil || !ok {
		return errBadRings
	}
	if refused := e.asks(v, "/v3/scores", queryOfScores(v.HTTP.URL.RawQuery)); refused != nil {
		return refused.send(v)
	}
	r, err := e.openRelease(v)
	if err != nil {
		return err
	}
	defer r.Done()
	rings, ok := v.readerOf(r).Rings(q.lng.V, q.lat.V, minutes)
	if !ok {
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	return writeData(v, rings)
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

// writeData answers with {"data": …}.
func writeData(v *visit, data any) error {
	body, err := json.Marshal(struct {
		Data any `json:"data"`
	}{data})
	if err != nil {
		return err
	}
	write(v, http.StatusOK, jsonType, body)
	return nil
}
