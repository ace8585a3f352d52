package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"quartier/schemas"
)

// explanation is of one of quartier explain what assistants need, under the names that it has there.
type explanation struct {
	Name   string `json:"name"`
	Served *struct {
		Value   float64  `json:"value"`
		Rounded *float64 `json:"rounded,omitempty"`
	} `json:"served" jsonschema:"null: not known"`
	Absent  string   `json:"absent,omitempty" jsonschema:"why it is not known"`
	Formula string   `json:"formula"`
	Worked  string   `json:"worked,omitempty" jsonschema:"the formula with its numbers"`
	Parts   []item   `json:"parts,omitempty"`
	Places  []item   `json:"places,omitempty" jsonschema:"that count most, at most 10"`
	Lines   []item   `json:"lines,omitempty" jsonschema:"of public transport, at most 10"`
	Remarks []string `json:"remarks,omitempty"`
}

// item is a part, a place or a line that counts for a score.
type item struct {
	For       string               `json:"for,omitempty"`
	Name      string               `json:"name,omitempty"`
	Class     string               `json:"class,omitempty"`
	Of        string               `json:"of,omitempty" jsonschema:"how value is computed"`
	Value     *float64             `json:"value,omitempty" jsonschema:"of a part; absent: not known"`
	Weight    float64              `json:"weight,omitempty"`
	Part      *float64             `json:"part,omitempty" jsonschema:"what it adds"`
	Route     string               `json:"route,omitempty"`
	Headsign  string               `json:"headsign,omitempty"`
	Stop      string               `json:"stop,omitempty"`
	TripsWeek int                  `json:"trips_week,omitempty"`
	At        *schemas.Coordinates `json:"at,omitempty"`
	M         *float64             `json:"m,omitempty" jsonschema:"metres on foot, or straight"`
	Minutes   *float64             `json:"minutes,omitempty"`
	Straight  bool                 `json:"straight,omitempty"`
}

type explainOut struct {
	Scores []explanation `json:"scores"`
}

// mostExplained limits the scores, mostCounted the places and lines of each.
const mostExplained, mostCounted = 3, 10

// explain answers for a point of which /v3/scores was asked.
func (s *server) explain(ctx context.Context, a *args, _ *struct{}, out *explainOut) ([]string, error) {
	if len(a.Scores) == 0 || len(a.Scores) > mostExplained {
		return nil, errors.New("give one to three scores")
	}
	values, err := s.explained(ctx, a, a.Scores)
	if err != nil {
		return nil, err
	}
	if out.Scores = values; values == nil {
		out.Scores = []explanation{}
		return []string{"No street of the release is near: no score is known."}, nil
	}
	for i := range values {
		x := &values[i]
		slices.SortStableFunc(x.Places, func(a, b item) int { return cmp.Compare(*b.Part, *a.Part) })
		x.Places, x.Lines = x.Places[:min(len(x.Places), mostCounted)], x.Lines[:min(len(x.Lines), mostCounted)]
	}
	return nil, nil
}

// explained asks for explanations; none where no street is near.
func (s *server) explained(ctx context.Context, a *args, scores []string) ([]explanation, error) {
	s.explaining.Lock()
	defer s.explaining.Unlock()
	body, err := s.Explain(ctx, *a.Lng, *a.Lat, scores, a.Language)
	if err != nil || body == nil {
		return nil, err
	}
	var report struct {
		Values []explanation `json:"values"`
	}
	return report.Values, json.Unmarshal(body, &report)
}

// walk sets the way on foot of the places of one category that count for the score of that name.
func (s *server) walk(ctx context.Context, a *args, list []place) {
	if s.Explain == nil || len(a.Categories) != 1 || !slices.Contains(schemas.ScoreIDs(), a.Categories[0]) {
		return
	}
	values, err := s.explained(ctx, a, a.Categories)
	if err != nil {
		s.Log.Warn("ways on foot are not known", "error", err)
	}
	for _, x := range values {
		for _, c := range x.Places {
			i := slices.IndexFunc(list, func(p place) bool { return c.At != nil && p.Name == c.Name && p.Lat == c.At.Lat && p.Lng == c.At.Lng })
			if i >= 0 && !c.Straight {
				list[i].WalkM, list[i].Minutes = c.M, c.Minutes
			}
		}
	}
}
