// Package neighbours finds the geographies that touch each other.
package neighbours

import (
	"cmp"
	"context"
	"database/sql"
	"path/filepath"
	"slices"

	"quartier/build/released"
	"quartier/internal/coord"
	"quartier/internal/sqlrow"
	"quartier/schemas"
)

// Table has the current geographies of levels 10 to 38.
type Table struct {
	IDs   []string   // ascending
	Pairs [][2]int32 // indexes of two of a level that touch, the smaller one first; sorted
}

// touchUnits is the side of the cells, in 1e-7 degrees, by which vertices meet: outlines touch that have vertices within
// about five metres of each other.
const touchUnits = 1000

// Read finds the geographies of a release, of which dir has geographies.sqlite.
func Read(ctx context.Context, dir string) (*Table, error) {
	db, err := released.Open(filepath.Join(dir, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	t, byLevel := &Table{}, map[schemas.Level][]vertex{}
	const query = "SELECT geog_id, level, geometry FROM geography WHERE level <= 38 ORDER BY geog_id"
	err = released.Each(ctx, db, query, nil, sqlrow.Visit3(func(id string, level schemas.Level, blob sql.RawBytes) error {
		outline, err := released.ReadMultiPolygon(blob)
		if err != nil {
			return err
		}
		area, err := coord.NewArea(outline)
		if err != nil {
			return err
		}
		byLevel[level] = appendVertices(byLevel[level], area.Points, int32(len(t.IDs)))
		t.IDs = append(t.IDs, id)
		return nil
	}))
	for _, level := range schemas.Levels {
		t.Pairs = append(t.Pairs, meet(byLevel[level])...)
	}
	slices.SortFunc(t.Pairs, comparePairs)
	return t, err
}

// Of returns the neighbours of each geography.
func (t *Table) Of() map[string][]string {
	of := map[string][]string{}
	for _, p := range t.Pairs {
		a, b := t.IDs[p[0]], t.IDs[p[1]]
		of[a], of[b] = append(of[a], b), append(of[b], a)
	}
	return of
}

// vertex is a cell that a vertex of a geography is in or near.
type vertex struct{ x, y, place int32 }

// appendVertices adds the four cells around each vertex: two vertices within half a cell of each other have one in common.
func appendVertices(list []vertex, points []coord.Point, place int32) []vertex {
	const half = touchUnits / 2
	first := len(list)
	for _, p := range points {
		for _, dx := range []int32{-half, half} {
			for _, dy := range []int32{-half, half} {
				list = append(list, vertex{(p.Lng + dx) / touchUnits, (p.Lat + dy) / touchUnits, place})
			}
		}
	}
	sortVertices(list[first:])
	return list[:first+len(slices.Compact(list[first:]))]
}

func sortVertices(list []vertex) {
	slices.SortFunc(list, func(a, b vertex) int {
		return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.y, b.y), cmp.Compare(a.place, b.place))
	})
}

func comparePairs(a, b [2]int32) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) }

// meet returns the pairs of places that have a cell in common.
func meet(list []vertex) (pairs [][2]int32) {
	sortVertices(list)
	seen := map[[2]int32]bool{}
	for begin := 0; begin < len(list); {
		end := begin + 1
		for end < len(list) && list[end].x == list[begin].x && list[end].y == list[begin].y {
			end++
		}
		for a := begin; a < end; a++ {
			for b := a + 1; b < end; b++ {
				pair := [2]int32{list[a].place, list[b].place}
				if pair[0] != pair[1] && !seen[pair] {
					seen[pair] = true
					pairs = append(pairs, pair)
				}
			}
		}
		begin = end
	}
	slices.SortFunc(pairs, comparePairs)
	return pairs
}
