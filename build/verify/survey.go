package verify

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/build/scores"
	"quartier/internal/rating"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// checkSurvey compares the manifest's classes, errands and spreads with access.sqlite, as far as it has what they are
// computed of: it has no homes, so that a spread has to agree with itself and with the nodes that homes are between.
func checkSurvey(ctx context.Context, db *sql.DB, m *schemas.Manifest) error {
	if err := checkPlaces(ctx, db, m); err != nil {
		return err
	}
	nodes, err := readExtremes(ctx, db)
	if err != nil {
		return err
	}
	for _, s := range m.Spreads {
		if err := nodes.check(&s); err != nil {
			return err
		}
	}
	c := calibration.Standard()
	if !slices.Contains(m.Parameters, released.CalibrationParameters(c.Version, calibration.Digest())[0]) {
		return nil // another program built the release
	}
	if errands := scores.Errands(c, m.Classes); !slices.Equal(errands, m.Errands) {
		return fmt.Errorf("errands are of the points %+v, the manifest has %+v", errands, m.Errands)
	}
	rules := rating.NearestRules(c, rating.NewDecay(c.Walking))
	for _, class := range m.Classes {
		if usual := c.Known.Usual[class.Class]; usual != class.Usual {
			return fmt.Errorf("the usual rate of class %s is %v, the manifest has %v for region %s", class.Class, usual, class.Usual, class.Region)
		}
		unknown := !class.Verdict.Known() && class.Verdict != schemas.ClassSome // which is known near some stops
		for _, rule := range rules {
			if rule.Class == class.Class && unknown && nodes.have(class.Region, rule.Channel) {
				return fmt.Errorf("nodes of region %s have %s, and the manifest has class %s as unknown", class.Region, rule.Channel, class.Class)
			}
		}
	}
	for _, s := range m.Spreads {
		if err := scores.CheckSpread(&c.Spread, &s); err != nil {
			return err
		}
	}
	return nil
}

// checkPlaces counts the places of each class.
func checkPlaces(ctx context.Context, db *sql.DB, m *schemas.Manifest) error {
	places := map[[2]string]int64{} // by region and class
	const query = "SELECT region, class, count(DISTINCT place_key) FROM destination GROUP BY region, class"
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var at [2]string
		var n int64
		err := rows.Scan(&at[0], &at[1], &n)
		places[at] = n
		return err
	})
	if err != nil {
		return err
	}
	for _, class := range m.Classes {
		if n := places[[2]string{class.Region, class.Class}]; n != class.Places {
			return fmt.Errorf("region %s has %d places of class %s, the manifest has %d", class.Region, n, class.Class, class.Places)
		}
	}
	return nil
}

// extremes are the lowest and the highest value of each channel at the nodes of a region, in ten-thousandths; null where
// all are absent.
type extremes map[string][schemas.ChannelCount][2]sql.NullFloat64

func readExtremes(ctx context.Context, db *sql.DB) (extremes, error) {
	var columns []string
	for c := range schemas.Channel(schemas.ChannelCount) {
		columns = append(columns, fmt.Sprintf("min(%s), max(%[1]s)", schemas.ChannelName(c)))
	}
	nodes := extremes{}
	query := "SELECT region, " + strings.Join(columns, ", ") + " FROM street_node GROUP BY region"
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var region string
		var values [schemas.ChannelCount][2]sql.NullFloat64
		targets := []any{&region}
		for c := range values {
			targets = append(targets, &values[c][0], &values[c][1])
		}
		err := rows.Scan(targets...)
		nodes[region] = values
		return err
	})
	return nodes, err
}

// have reports whether some node of a region has a channel.
func (e extremes) have(region, channel string) bool {
	return e[region][schemas.MustChannel(channel)][0].Valid
}

// check compares the extremes of a spread with those of the nodes. The manifest has hundredths.
func (e extremes) check(s *schemas.ScoreSpread) error {
	const half = 0.00500001
	at := e[s.Region][schemas.MustChannel(s.Score)]
	low, high := at[0].Float64/schemas.UnitValue, at[1].Float64/schemas.UnitValue
	if s.Known > 0 && (!at[0].Valid || s.Low < low-half || s.High > high+half) {
		return fmt.Errorf("the nodes of region %s have %s from %.4f to %.4f, the manifest has homes from %.2f to %.2f", s.Region, s.Score, low, high, s.Low, s.High)
	}
	return nil
}
