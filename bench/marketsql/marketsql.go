// Package marketsql computes market statistics by PostgreSQL, as a peer, and compares them with a component.
package marketsql

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"

	"quartier/bench/fail"
	"quartier/build/released"
	"quartier/schemas/market"
)

// figure is a metric that PostgreSQL computes, with its percentiles.
type figure struct {
	expression string // of a listing; with percentiles what they are of, else an aggregate
	where      string // of the listings that count; "": all
	percents   []int
	metrics    []market.Metric // of the percentiles, or of the aggregate; none: not compared, because re-listings change them
}

// Query is the figures of the listings of a geography and type for which a condition on an interval holds.
type Query struct {
	condition string
	figures   []figure
}

const (
	inRange = "l.area BETWEEN 200 AND 20000"
	paired  = "2 * abs(l.price - l.asked) < l.asked"
)

var fivePercents = []int{10, 25, 50, 75, 90}

// Queries are what is sold in an interval, and what is active at its end.
var Queries = []Query{
	{"l.closed BETWEEN i.first AND i.last", []figure{
		{"count(*)", "", nil, []market.Metric{market.Sold}},
		{"min(l.price)", "", nil, []market.Metric{market.SaleMin}},
		{"max(l.price)", "", nil, []market.Metric{market.SaleMax}},
		{"sum(l.price)::bigint", "", nil, []market.Metric{market.Volume}},
		{"l.price", "", fivePercents, []market.Metric{market.SaleP10, market.SaleP25, market.SaleMedian, market.SaleP75, market.SaleP90}},
		{"l.price::float8 / l.area", inRange, []int{50}, []market.Metric{market.SalePerSqft}},
		{"l.area", inRange, []int{50}, []market.Metric{market.SoldMedianSize}},
		{"l.built", "l.built BETWEEN 1700 AND extract(year FROM i.last) + 2", []int{50}, []market.Metric{market.MedianYearBuilt}},
		{"l.price - l.asked", paired, []int{50}, []market.Metric{market.MedianDifference}},
		{"(l.price - l.asked)::float8 / l.asked", paired, []int{50}, []market.Metric{market.MedianPercentDifference}},
		{"l.contract - l.listed", "l.contract - l.listed BETWEEN 0 AND 365", []int{50}, nil},
		{"l.closed - l.listed", "l.closed >= l.listed", fivePercents, nil},
	}},
	{"l.listed <= i.last AND l.gone > i.last", []figure{
		{"count(*)", "", nil, []market.Metric{market.Active}},
		{"min(l.asked)", "", nil, []market.Metric{market.AskMin}},
		{"max(l.asked)", "", nil, []market.Metric{market.AskMax}},
		{"l.asked", "", fivePercents, []market.Metric{market.AskP10, market.AskP25, market.AskMedian, market.AskP75, market.AskP90}},
		{"l.asked::float8 / l.area", inRange, []int{50}, []market.Metric{market.AskPerSqft}},
		{"l.area", inRange, []int{50}, []market.Metric{market.ActiveMedianSize}},
		{"i.last - l.listed + 1", "", []int{50}, []market.Metric{market.ActiveMedianAge}},
		{"i.last - l.listed + 1", "i.last - l.listed < 365", fivePercents, nil},
	}},
}

// SQL is the query: geography, type, interval and the figures.
func (q Query) SQL() string {
	columns := []string{"g.geog_id", "t.type", "i.code"}
	for _, f := range q.figures {
		column := f.expression
		if f.percents != nil {
			var shares []string
			for _, p := range f.percents {
				shares = append(shares, fmt.Sprintf("%.2f", float64(p)/100))
			}
			column = fmt.Sprintf("percentile_cont(ARRAY[%s]) WITHIN GROUP (ORDER BY %s)", strings.Join(shares, ", "), f.expression)
		}
		if f.where != "" {
			column += " FILTER (WHERE " + f.where + ")"
		}
		columns = append(columns, column)
	}
	return "SELECT " + strings.Join(columns, ", ") + ` FROM listing AS l JOIN listing_geography AS g USING (id) JOIN kind AS t ON t.of = l.type
		JOIN span AS i ON ` + q.condition + " GROUP BY 1, 2, 3"
}

// Same fails where the component and PostgreSQL do not have the same numbers but for rounding, in every seventh row:
// looking them up takes longer than computing them.
func Same(ctx context.Context, dir string, q Query, rows [][]any) {
	db := fail.Must(released.OpenMarket(dir))
	defer db.Close()
	var metrics []market.Metric
	var names []string
	for _, f := range q.figures {
		for _, m := range f.metrics {
			metrics, names = append(metrics, m), append(names, m.String())
		}
	}
	stat := fail.Must(db.PrepareContext(ctx,
		"SELECT "+strings.Join(names, ", ")+" FROM market_stat WHERE geog_id = ? AND type = ? AND code = ?"))
	ours, targets := make([]sql.NullFloat64, len(metrics)), make([]any, len(metrics))
	for i := range ours {
		targets[i] = &ours[i]
	}
	compared := 0
	for n := 0; n < len(rows); n += 7 {
		row := rows[n]
		if err := stat.QueryRowContext(ctx, row[0], row[1], row[2]).Scan(targets...); err == sql.ErrNoRows {
			continue // in Canada
		} else {
			fail.Check(err)
		}
		for i, v := range q.values(row[3:]) {
			allowed := 0.5/math.Pow10(metrics[i].Decimals()) + 1e-6 // theirs are not rounded
			if ours[i].Valid != v.Valid || v.Valid && math.Abs(ours[i].Float64-v.Float64) > allowed {
				fail.Errorf("%s of %v: %v, PostgreSQL has %v", metrics[i], row[:3], ours[i], v)
			}
		}
		compared++
	}
	if compared < 100 {
		fail.Errorf("%d intervals compared with PostgreSQL", compared)
	}
}

// values are those of the columns of figures that are compared.
func (q Query) values(columns []any) (list []sql.NullFloat64) {
	number := func(v any) sql.NullFloat64 {
		switch v := v.(type) {
		case int64:
			return sql.NullFloat64{Float64: float64(v), Valid: true}
		case float64:
			return sql.NullFloat64{Float64: v, Valid: true}
		}
		return sql.NullFloat64{}
	}
	for n, f := range q.figures {
		percentiles, many := columns[n].([]any)
		for k := range f.metrics {
			if many {
				list = append(list, number(percentiles[k]))
			} else {
				list = append(list, number(columns[n]))
			}
		}
	}
	return list
}
