package explore

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/schemas"
	"quartier/serve/account"
	"quartier/serve/param"
)

// explained are the parameters of /explore/explain.
type explained struct {
	lat, lng param.Value[float64]
	scores   param.Value[[]string]
	language param.Value[string]
}

var explainedSet = param.NewSet[explained](nil,
	param.Latitude("lat", func(q *explained) *param.Value[float64] { return &q.lat }).Required(),
	param.Longitude("lng", func(q *explained) *param.Value[float64] { return &q.lng }).Required(),
	param.Ordered("score", account.Scores, func(q *explained) *param.Value[[]string] { return &q.scores }),
	param.Choice("language", "en", []string{"en", "fr"}, func(q *explained) *param.Value[string] { return &q.language }),
)

// parseExplained parses what the API has taken already, as queryOfScores.
func parseExplained(in *http.Request) (q explained, err error) {
	_, err = explainedSet.Parse(in.URL.RawQuery, &q, nil)
	return q, err
}

// queryOfScores is the query of /v3/scores for one of /explore/explain. Values are passed on as they are, invalid escapes
// included, so that the API refuses what it refuses elsewhere.
func queryOfScores(raw string) string {
	var kept []string
	for pair := range strings.SplitSeq(raw, "&") {
		key, value, _ := strings.Cut(pair, "=")
		switch key, err := url.QueryUnescape(key); {
		case err != nil:
		case key == "score", key == "score[]":
			kept = append(kept, "include="+value)
		case key == "lat", key == "lng", key == "language":
			kept = append(kept, key+"="+value)
		}
	}
	return strings.Join(kept, "&")
}

// selection is what of a report is asked for.
type selection struct {
	level schemas.Level // 0: all
	box   *orb.Bound    // nil: everywhere
}

type selected struct{ level, box param.Value[string] }

var selectedSet = param.NewSet[selected](nil,
	param.Choice("level", "", schemas.LevelNumbers(schemas.Levels), func(q *selected) *param.Value[string] { return &q.level }),
	param.Phrase("bbox", 200, func(q *selected) *param.Value[string] { return &q.box }),
)

// parseSelection parses level and bbox: west,south,east,north in degrees.
func parseSelection(in *http.Request) (s selection, ok bool) {
	var q selected
	if _, err := selectedSet.Parse(in.URL.RawQuery, &q, nil); err != nil {
		return s, false
	}
	if q.level.Given {
		n, err := strconv.Atoi(q.level.V)
		if err != nil {
			return s, false
		}
		s.level = schemas.Level(n)
	}
	if q.box.Given {
		s.box, ok = parseBox(q.box.V)
		return s, ok
	}
	return s, true
}

func parseBox(text string) (*orb.Bound, bool) {
	var n [4]float64
	parts := strings.Split(text, ",")
	if len(parts) != len(n) {
		return nil, false
	}
	for i, part := range parts {
		v, err := strconv.ParseFloat(part, 64)
		limit := [...]float64{180, 90}[i%2]
		if err != nil || strings.ContainsAny(part, "xX_") || !(v >= -limit && v <= limit) {
			return nil, false
		}
		n[i] = v
	}
	return &orb.Bound{Min: orb.Point{n[0], n[1]}, Max: orb.Point{n[2], n[3]}}, n[0] <= n[2] && n[1] <= n[3]
}
