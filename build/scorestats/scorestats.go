// Package scorestats computes the distribution of scores over the streets of each region of a release, and reads them at
// known places. Input: a release folder. Output: quantiles and rows of scores; nothing is written.
package scorestats

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"

	"quartier/build/released"
	"quartier/internal/pack"
	"quartier/internal/pack/access"
	"quartier/schemas"
)

// Region is the distribution of the scores over the street nodes of a region.
type Region struct {
	Name   string
	Nodes  int
	Scores []Distribution // in the order of schemas.Scores
}

// bins are those of a histogram of 0–5 by hundredths.
const bins = 501

// Distribution is the histogram of a score over nodes.
type Distribution struct {
	Score string
	Known int // nodes with a value
	bins  [bins]int
}

// Quantile is the smallest value, to 0.01, that the given share of the nodes with a value do not exceed; 0 if there are none.
func (s *Distribution) Quantile(share float64) float64 {
	seen := 0
	for value, n := range s.bins {
		if seen += n; n > 0 && float64(seen) >= share*float64(s.Known) {
			return float64(value) / 100
		}
	}
	return 0
}

// Share is the share of the nodes with a value whose value, to 0.01, is from low to high.
func (s *Distribution) Share(low, high float64) float64 {
	if s.Known == 0 {
		return 0
	}
	sum := 0
	for value, n := range s.bins {
		if at := float64(value) / 100; at >= low && at <= high {
			sum += n
		}
	}
	return float64(sum) / float64(s.Known)
}

// Regions reads the distribution of every score over the street nodes of each region, by name.
func Regions(ctx context.Context, dir string) ([]Region, error) {
	db, err := released.Open(filepath.Join(dir, schemas.AccessFile))
	if err != nil {
		return nil, fmt.Errorf("score statistics %s: %w", dir, err)
	}
	defer db.Close()
	var columns []string
	for _, s := range schemas.Scores {
		columns = append(columns, s.ID)
	}
	var regions []Region
	values := make([]sql.NullInt64, len(schemas.Scores))
	into := []any{new(string)}
	for i := range values {
		into = append(into, &values[i])
	}
	query := "SELECT region, " + strings.Join(columns, ", ") + " FROM street_node ORDER BY region"
	err = released.Each(ctx, db, query, nil, func(rows *sql.Rows) error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		name := *into[0].(*string)
		if len(regions) == 0 || regions[len(regions)-1].Name != name {
			regions = append(regions, newRegion(name))
		}
		regions[len(regions)-1].add(values)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("score statistics %s: %w", dir, err)
	}
	return regions, nil
}

func newRegion(name string) Region {
	r := Region{Name: name, Scores: make([]Distribution, len(schemas.Scores))}
	for i, s := range schemas.Scores {
		r.Scores[i].Score = s.ID
	}
	return r
}

func (r *Region) add(values []sql.NullInt64) {
	r.Nodes++
	for i, v := range values {
		if v.Valid {
			s := &r.Scores[i]
			s.Known++
			s.bins[min(max((v.Int64+50)/100, 0), bins-1)]++
		}
	}
}

// Place is a known place.
type Place struct {
	Name     string
	Lng, Lat float64
}

// Sample is the scores at a place, in the order of schemas.Scores, schemas.AbsentValue if absent; not Found if no street
// is near enough.
type Sample struct {
	Place
	Found  bool
	Scores []uint16
}

// Places reads the scores at places, as the server does.
func Places(dir string, places []Place) ([]Sample, error) {
	file, err := pack.Open(filepath.Join(dir, schemas.AccessPack))
	if err != nil {
		return nil, fmt.Errorf("score statistics: %w", err)
	}
	defer file.Close()
	table, err := access.Open(file)
	if err != nil {
		return nil, fmt.Errorf("score statistics: %w", err)
	}
	var list []Sample
	for _, p := range places {
		read := Sample{Place: p}
		var values [schemas.ChannelCount]uint16
		spot, found := table.Locate(p.Lng, p.Lat)
		if found {
			table.Values(spot, &values)
			read.Found = true
		}
		read.Scores = append(read.Scores, values[schemas.FirstScore:]...)
		list = append(list, read)
	}
	return list, nil
}
