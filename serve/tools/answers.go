package tools

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"quartier/schemas"
	vocabulary "quartier/schemas/demographics"
)

// score is a score that is known.
type score struct {
	Score string  `json:"score"`
	Value float64 `json:"value" jsonschema:"0 worst, 5 best"`
	Text  string  `json:"text"`
}

type scoresOut struct {
	Scores  []score  `json:"scores"`
	Unknown []string `json:"unknown,omitempty" jsonschema:"not 0: explain says why, for a point"`
}

// scores answers from /v3/scores, or /v3/scores/{geog_id}.
func (s *server) scores(_ context.Context, a *args, in *struct {
	Data struct {
		Location, Scores map[string]schemas.LocationScore
	}
}, out *scoresOut) ([]string, error) {
	out.Scores = []score{}
	for _, id := range schemas.ScoreIDs() {
		if len(a.Scores) > 0 && !slices.Contains(a.Scores, id) {
			continue
		}
		found, known := in.Data.Location[id]
		if a.GeogID != "" {
			found, known = in.Data.Scores[id]
		}
		if !known {
			out.Unknown = append(out.Unknown, id)
			continue
		}
		value, err := strconv.ParseFloat(found.Value, 64)
		if err != nil {
			return nil, err
		}
		out.Scores = append(out.Scores, score{id, value, found.Text})
	}
	if len(out.Scores) == 0 {
		return []string{"No score is known here: no street of the release is near, or its sources lack what scores are made of."}, nil
	}
	return nil, nil
}

// figure is a figure about people.
type figure struct {
	Topic    string                      `json:"topic"`
	Figure   string                      `json:"figure"`
	Label    string                      `json:"label"`
	Value    float64                     `json:"value"`
	Interval *schemas.ConfidenceInterval `json:"interval,omitempty" jsonschema:"90 % confidence; absent: not known"`
	Open     *string                     `json:"open,omitempty" jsonschema:"upper: the value or more; lower: or less"`
}

type peopleOut struct {
	Figures  []figure `json:"figures" jsonschema:"shares of 0 to 1, counts, dollars or years, as the label says"`
	Topics   []string `json:"topics" jsonschema:"of which there are figures"`
	Vintage  string   `json:"vintage,omitempty"`
	Coverage *float64 `json:"coverage,omitempty" jsonschema:"share of the ground with statistics, where it is not all"`
}

// headlines are the topics that come first.
var headlines = []string{"population_total", "households", "household_composition", "income_stats", "property_tenure", "housing_type"}

// people answers from /v3/demographics, which has less of what /v3/demographics/{geog_id} has.
func (s *server) people(_ context.Context, a *args, in *schemas.GeographyDemographicsAnswer, out *peopleOut) ([]string, error) {
	order, note := vocabulary.ByGeography, ""
	if a.GeogID == "" {
		order, note = vocabulary.Around, "Margins of error are known of geographies: ask with a geog_id."
	}
	var ids []string
	for _, category := range order {
		ids = append(ids, category.ID)
	}
	for _, topic := range a.Topics {
		if !slices.Contains(ids, topic) {
			return nil, fmt.Errorf("no topic %.40q: give some of %s", topic, strings.Join(ids, ", "))
		}
	}
	rank := func(id string) uint { return uint(slices.Index(headlines, id)) } // −1 is last
	slices.SortStableFunc(ids, func(x, y string) int { return cmp.Compare(rank(x), rank(y)) })
	out.Figures, out.Topics = []figure{}, []string{}
	out.Vintage, out.Coverage = in.Data.Meta.DataVintage, in.Data.Meta.Coverage
	for _, id := range slices.Compact(ids) {
		category, known := in.Data.Attributes[id]
		if known {
			out.Topics = append(out.Topics, id)
		}
		for _, v := range category.Variables {
			if len(a.Topics) == 0 || slices.Contains(a.Topics, id) {
				out.Figures = append(out.Figures, figure{id, v.Variable, v.Label, v.Value, v.ConfidenceInterval, v.Open})
			}
		}
	}
	unknown := slices.DeleteFunc(slices.Clone(a.Topics), func(topic string) bool { return slices.Contains(out.Topics, topic) })
	lacks := ""
	if len(unknown) > 0 {
		lacks = "No figures are known of: " + strings.Join(unknown, ", ")
	}
	if len(out.Topics) == 0 {
		note = "No figures are known: nobody lives there, or no source of the release has figures of it."
	}
	more := ""
	if n := len(out.Figures); n > mostRows {
		out.Figures, more = out.Figures[:mostRows], fmt.Sprintf("The first %d of %d figures are listed: ask for others by topics.", mostRows, n)
	}
	return []string{note, lacks, more}, nil
}

// place is a place of interest.
type place struct {
	schemas.EnhancedPOI
	WalkM   *float64 `json:"walk_m,omitempty" jsonschema:"metres on foot; absent: not known"`
	Minutes *float64 `json:"walk_minutes,omitempty"`
}

type placesOut struct {
	Places  []place        `json:"places"`
	Total   int            `json:"total" jsonschema:"how many there are within the radius, listed or not"`
	Counts  map[string]int `json:"counts" jsonschema:"the same by category"`
	Unknown []string       `json:"unknown_categories,omitempty" jsonschema:"how many there are is not known: not 0"`
}

// places answers from /v3/enhanced-pois.
func (s *server) places(ctx context.Context, a *args, in *schemas.EnhancedPOIsAnswer, out *placesOut) ([]string, error) {
	counts := in.Meta.Counts
	*out = placesOut{[]place{}, counts.TotalCount, counts.TotalByCategory, in.Meta.Unknown}
	for _, p := range in.Data.Results[:min(len(in.Data.Results), mostRows)] {
		out.Places = append(out.Places, place{EnhancedPOI: p})
	}
	s.walk(ctx, a, out.Places)
	if n := len(out.Places); n < out.Total {
		return []string{fmt.Sprintf("The nearest %d of %d are listed.", n, out.Total)}, nil
	}
	return nil, nil
}

type schoolsOut struct {
	Primary []schemas.School `json:"primary" jsonschema:"catchments say whether they hold the point; none: not known"`
	High    []schemas.School `json:"high"`
}

// schools answers from /v3/schools, without the outlines of catchments.
func (s *server) schools(_ context.Context, _ *args, in *schemas.SchoolsAnswer, out *schoolsOut) ([]string, error) {
	primary, high := in.Data.PrimarySchools, in.Data.HighSchools
	for _, school := range slices.Concat(primary, high) {
		for i := range *school.Catchments {
			(*school.Catchments)[i].Geometry = schemas.MultiPolygon{}
		}
	}
	*out = schoolsOut{primary[:min(len(primary), mostRows)], high[:min(len(high), mostRows)]}
	if len(primary)+len(high) == 0 {
		return []string{"No school is known within the radius: there is none, or no source of the release lists schools here."}, nil
	}
	return nil, nil
}

// market answers from /v3/market-stats/{geog_id}.
func (s *server) market(_ context.Context, _ *args, in *schemas.MarketStatsAnswer, out *schemas.MarketStatsData) ([]string, error) {
	*out = in.Data
	var missing []string
	for _, of := range slices.Sorted(maps.Keys(in.Meta.MissingIntervals)) {
		missing = append(missing, of+" "+strings.Join(in.Meta.MissingIntervals[of], " "))
	}
	if len(missing) == 0 {
		return nil, nil
	}
	return []string{"Nothing was for sale at the end of, or sold in, what is absent there is not known: " + strings.Join(missing, "; ")}, nil
}

var tags = regexp.MustCompile(`<[^>]*>`)

// profile answers from /v3/profiles. Its texts are HTML, in which names are escaped.
func (s *server) profile(_ context.Context, _ *args, in *schemas.ProfileAnswer, out *schemas.Profile) ([]string, error) {
	*out = in.Data
	p := &out.Profiles
	for _, text := range []*string{&out.Intro, &p.Summary, &p.Transport, &p.Services, &p.Character, &p.Housing} {
		*text = html.UnescapeString(tags.ReplaceAllString(*text, ""))
	}
	if out.ID == "" {
		return []string{"There is no text about this place: too little is known of it."}, nil
	}
	return nil, nil
}
