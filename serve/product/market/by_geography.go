// Package market answers with the statistics of listings and sales in a geography.
package market

import (
	"slices"

	table "quartier/internal/pack/market"
	"quartier/schemas"
	"quartier/schemas/market"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

const product = "market_stats"

// codeForm is the form of the codes of intervals, as a regular expression.
const codeForm = `30d|60d|90d|120d|31-60d|12m|13-24m|[0-9]{4}-[0-9]{2}|[0-9]{4}Q[0-9]`

// byGeographyQuery is the query of GET /v3/market-stats/{geog_id}.
type byGeographyQuery struct {
	Types     param.Value[[]string]
	Intervals param.Value[[]string]
}

// ByGeography is GET /v3/market-stats/{geog_id}.
func ByGeography() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getMarketStats",
		Path:    "/v3/market-stats/{geog_id}",
		Product: product,
		Summary: "Statistics of listings and sales in a geography, by property type and interval",
		Doc: "Of the United States, where the release has listings. Detail that cannot be had is absent. An interval is in " +
			"meta.missing_intervals of a property type if nothing of it is active at the end of the interval, or nothing of it was " +
			"sold in the interval; its counts stay. Days are those of the time zone of the geography.",
		Levels:  endpoint.UpToMetro,
		Body:    schemas.MarketStatsAnswer{},
		Refuses: []error{scope.ErrRegion, scope.ErrNoListings},
	}, param.NewSet(nil,
		param.Ordered("property_types", market.TypeNames(), func(q *byGeographyQuery) *param.Value[[]string] { return &q.Types }).
			Doc("Property types, by default single_family, multi_family_under_5_units, condo_townhome and all_residential_properties."),
		param.Words("intervals", codeForm, endpoint.MaxItems, func(q *byGeographyQuery) *param.Value[[]string] { return &q.Intervals }).
			Doc("Codes of intervals, by default 30d and the 12 latest closed months. 30d, 60d, 90d and 120d are the days before that of the data, "+
				"31-60d the days 31 to 60 back, 12m the 12 months before it, 13-24m those before these; yyyy-mm and yyyyQn are months and quarters, "+
				"of which the 60 and the 20 latest closed ones can be asked for."),
	), answerByGeography)
}

// memory is reused from request to request.
type memory struct {
	row       table.Row
	types     []market.PropertyType
	intervals []int  // as market.Intervals numbers them
	missing   []byte // JSON members of missing_intervals
	codes     []byte // JSON items of a list of it
}

// answerByGeography appends a schemas.MarketStatsAnswer to the body.
func answerByGeography(r *endpoint.Request, q *byGeographyQuery, m *memory) error {
	stats, version, err := r.Release.Market(r.Segment)
	if err != nil {
		return err
	}
	r.Canonical = append(r.Canonical, version...)
	if err := m.choose(q, stats.Table); err != nil {
		return err
	}
	i, inTable, err := r.Release.MarketGeography(r.Segment, stats)
	if err != nil {
		return err
	}
	b := endpoint.Append(r.Body, `{"data":{"geog_id":`, endpoint.Quote(r.Segment), `,"property_types":{`)
	m.missing = m.missing[:0]
	for _, of := range m.types {
		b = endpoint.AppendComma(b)
		b = m.appendType(b, stats.Table, inTable, of)
	}
	b = endpoint.Append(b, `}},"meta":`, statsMeta, `,"missing_intervals":{`)
	b = append(b, m.missing...)
	b = append(b, '}')
	b = endpoint.AppendDeprecation(b, r.Release.Deprecation(i))
	r.Body = append(b, `}}`...)
	return nil
}

var statsMeta = endpoint.OpenMeta("market-stats")

// choose sets the types and intervals that are asked for, each once.
func (m *memory) choose(q *byGeographyQuery, t *table.Table) error {
	m.types, m.intervals = m.types[:0], m.intervals[:0]
	for _, name := range q.Types.V {
		of, _ := market.TypeNamed(name)
		m.types = append(m.types, of)
	}
	if len(m.types) == 0 {
		m.types = append(m.types, market.DefaultTypes...)
	}
	for _, code := range q.Intervals.V {
		n, err := market.Parse(code, t.Day(), t.Intervals())
		if err != nil {
			return param.Bad("intervals", param.NotAllowed, "intervals: %v", err)
		}
		if !slices.Contains(m.intervals, n) {
			m.intervals = append(m.intervals, n)
		}
	}
	if len(m.intervals) == 0 {
		m.intervals = append(m.intervals, t.Default()...)
	}
	return nil
}

// appendType appends the member of a type, and adds the intervals that are missing to those of other types.
func (m *memory) appendType(b []byte, t *table.Table, geography int, of market.PropertyType) []byte {
	b = endpoint.Append(b, `"`, of.String(), `":{`)
	t.Find(geography, of, &m.row)
	m.codes = m.codes[:0]
	for _, n := range m.intervals {
		b = endpoint.AppendComma(b)
		var missing bool
		if b, missing = m.row.Append(b, n); missing {
			m.codes = endpoint.Append(m.codes, `,"`, t.Intervals()[n].Code, `"`)
		}
	}
	if len(m.codes) > 0 {
		m.missing = endpoint.Append(m.missing, separator(m.missing), `"`, of.String(), `":[`)
		m.missing = append(m.missing, m.codes[1:]...)
		m.missing = append(m.missing, ']')
	}
	return append(b, '}')
}

// separator comes before the next member.
func separator(members []byte) string {
	if len(members) == 0 {
		return ""
	}
	return ","
}
