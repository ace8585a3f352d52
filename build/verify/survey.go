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
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/calibration"
)

// checkSurvey compares the manifest's classes, errands and spreads with access.sqlite, as far as it has what they are
// computed of: it has no homes, so that a spread has to agree with itself and with the nodes that homes are between.
func checkSurvey(ctx context.Context, db *sql.DB, m *schemas.Manifest) error {
	if err := checkPlaces(ctx, db, m); err != nil {
		return err
	}
	c := calibration.Standard()
	if !slices.Contains(m.Parameters, released.CalibrationParameters(c.Version, calibration.Digest())[0]) {
		return nil // another program built the release
	}
	if errands := scores.Errands(c, m.Classes); !slices.Equal(errands, m.Errands) {
		return fmt.Errorf("errands are of the points %+v, the manifest has %+v", errands, m.Errands)
	}
	rules := map[string][]string{} // channels by class
	for _, rule := range rating.NearestRules(c, rating.NewDecay(c.Walking)) {
		rules[rule.Class] = append(rules[rule.Class], rule.Channel)
	}
	channels := schemas.ScoreIDs()
	for _, class := range m.Classes {
		if usual := c.Known.Usual[class.Class]; usual != class.Usual {
			return fmt.Errorf("the usual rate of class %s is %v, the manifest has %v for region %s", class.Class, usual, class.Usual, class.Region)
		}
		if !class.Verdict.Known() {
			channels = append(channels, rules[class.Class]...)
		}
	}
	slices.Sort(channels)
	nodes, err := readExtremes(ctx, db, slices.Compact(channels))
	if err != nil {
		return err
	}
	for _, class := range m.Classes {
		for _, channel := range rules[class.Class] {
			if at := nodes[[2]string{class.Region, channel}]; !class.Verdict.Somewhere() && at[0].Valid {
				return fmt.Errorf("nodes of region %s have %s, and the manifest has class %s as unknown", class.Region, channel, class.Class)
			}
		}
	}
	for _, s := range m.Spreads {
		if err := nodes.check(&s); err != nil {
			return err
		}
		if err := scores.CheckSpread(&c.Spread, &s); err != nil {
			return err
		}
	}
	return nil
}

// checkPlaces counts the places of each class of destinations. Those of categories cannot be counted: a place that two
// regions have is in the release once.
func checkPlaces(ctx context.Context, db *sql.DB, m *schemas.Manifest) error {
	places := map[[2]string]int64{} // by region and class
	const query = "SELECT region, class, count(DISTINCT place_key) FROM destination GROUP BY region, class"
	err := released.Each(ctx, db, query, nil, sqlrow.Visit3(func(region, class string, n int64) error {
		places[[2]string{region, class}] = n
		return nil
	}))
	if err != nil {
		return err
	}
	for _, class := range m.Classes {
		if n := places[[2]string{class.Region, class.Class}]; n != class.Places && slices.Contains(schemas.DestinationClasses, class.Class) {
			return fmt.Errorf("region %s has %d places of class %s, the manifest has %d", class.Region, n, class.Class, class.Places)
		}
	}
	return nil
}

// extremes are the lowest and the highest value at the nodes of a region, by region and channel, in ten-thousandths; null
// where all are absent.
type extremes map[[2]string][2]sql.NullFloat64

func readExtremes(ctx context.Context, db *sql.DB, channels []string) (extremes, error) {
	var columns []string
	for _, channel := range channels {
		columns = append(columns, fmt.Sprintf("min(%s), max(%[1]s)", channel))
	}
	nodes := extremes{}
	query := "SELECT region, " + strings.Join(columns, ", ") + " FROM street_node GROUP BY region"
	err := released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		var region string
		values := make([][2]sql.NullFloat64, len(channels))
		targets := []any{&region}
		for i := range values {
			targets = append(targets, &values[i][0], &values[i][1])
		}
		err := rows.Scan(targets...)
		for i, channel := range channels {
			nodes[[2]string{region, channel}] = values[i]
		}
		return err
	})
	return nodes, err
}

// check compares the extremes of a spread with those of the nodes. The manifest has hundredths.
func (e extremes) check(s *schemas.ScoreSpread) error {
	const half = 0.00500001
	at := e[[2]string{s.Region, s.Score}]
	low, high := at[0].Float64/schemas.UnitValue, at[1].Float64/schemas.UnitValue
	if s.Known > 0 && (!at[0].Valid || s.Low < low-half || s.High > high+half) {
		return fmt.Errorf("the nodes of region %s have %s from %.4f to %.4f, the manifest has homes from %.2f to %.2f", s.Region, s.Score, low,
			high, s.Low, s.High)
	}
	return nil
}
