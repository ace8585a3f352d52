package estimates

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/internal/margin"
	"quartier/internal/pack"
	"quartier/internal/pack/smallareas"
	"quartier/schemas/demographics"
)

// township is a square of wide × wide blocks of about 100 m. Seven by seven of them are a small area with people,
// households by tenure and ages; some blocks are empty, and some areas have no table of tenure.
type township struct {
	wide   int
	people float64 // in total
}

const (
	blockSide = 0.001 // degrees
	groupSide = 7     // blocks
)

func (g township) at(x, y int) orb.Point {
	return orb.Point{-100 + blockSide*float64(x), 40 + blockSide*float64(y)}
}

// box is the rectangle of blocks between two corners.
func (g township) box(west, south, east, north int) orb.MultiPolygon {
	a, b := g.at(west, south), g.at(east, north)
	return rectangle(a[0], a[1], b[0], b[1])
}

// corner is the south-western block of a small area.
type corner struct{ x, y int }

// groups are the small areas along a Hilbert curve.
func (g township) groups() (list []corner) {
	for y := 0; y < g.wide; y += groupSide {
		for x := 0; x < g.wide; x += groupSide {
			list = append(list, corner{x, y})
		}
	}
	curve := func(c corner) uint64 { return geo.Hilbert(g.at(c.x, c.y)) }
	slices.SortFunc(list, func(a, b corner) int { return cmp.Compare(curve(a), curve(b)) })
	return list
}

// write writes the table of the township to a temporary file.
func (g *township) write(t testing.TB) *smallareas.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small_areas.pack")
	out, err := pack.Create(path)
	must(t, err)
	w := smallareas.NewWriter(out)
	random := rand.New(rand.NewPCG(3, 4))
	for _, c := range g.groups() {
		var parts []smallareas.Part
		for y := c.y; y < min(c.y+groupSide, g.wide); y++ {
			for x := c.x; x < min(c.x+groupSide, g.wide); x++ {
				weight := float64(random.IntN(5) * random.IntN(30))
				parts = append(parts, smallareas.Part{Outline: g.box(x, y, x+1, y+1),
					Weights: [demographics.Universes]float64{weight, weight / 2, weight / 2}})
			}
		}
		people, hasTenure := float64(500+random.IntN(1500)), random.IntN(8) > 0
		g.people += people
		var values []smallareas.Value
		for i := range demographics.Cells {
			cell := &demographics.Cells[i]
			f := margin.Figure{Estimate: float64(random.IntN(100)), MOE: float64(random.IntN(40))}
			switch id := demographics.Tables[cell.Table].ID; {
			case i == populationCell:
				f.Estimate = people
			case !cell.Has("US") || cell.Role == demographics.Scalar && i != homeValueCell || id == "tenure" && !hasTenure:
				continue
			}
			values = append(values, smallareas.Value{Cell: i, Figure: f})
		}
		must(t, w.AddArea("US_KS", smallareas.Sigma{Within: 0.3}, values, parts))
	}
	must(t, w.Finish())
	must(t, out.Close())
	file, err := pack.Open(path)
	must(t, err)
	t.Cleanup(func() { file.Close() })
	table, err := smallareas.Open(file)
	must(t, err)
	return table
}

// The counts of the parts into which a geography is divided add up to its own, and the people of the township are those
// that it was generated with.
func TestPartsOfAGeographyAddUp(t *testing.T) {
	town := &township{wide: 40}
	table := town.write(t)
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(0, 40)
		x, y := side.Draw(t, "x"), side.Draw(t, "y")
		shift := rapid.Float64Range(0, 1).Draw(t, "shift") // of the cut from the edges of blocks
		cutX, cutY := town.at(x, y)[0]+shift*blockSide, town.at(x, y)[1]+shift*blockSide/3
		a, b := town.at(-1, -1), town.at(42, 42)
		outlines := []orb.MultiPolygon{
			rectangle(a[0], a[1], b[0], b[1]),
			rectangle(a[0], a[1], cutX, cutY), rectangle(cutX, a[1], b[0], cutY), rectangle(a[0], cutY, cutX, b[1]),
			rectangle(cutX, cutY, b[0], b[1]),
		}
		var cells [5][demographics.CellCount]float64
		err := Compute(context.Background(), table, len(outlines),
			func(i int) (Request, error) { return Request{Country: "US", Outline: outlines[i]}, nil },
			func(i int, r *Result) error {
				for c := range cells[i] {
					f, _ := r.Cells.Get(c)
					cells[i][c] = f.Estimate
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if got := cells[0][populationCell]; math.Abs(got-town.people) > 1e-6*town.people {
			t.Fatalf("%v people, want %v", got, town.people)
		}
		for c, whole := range cells[0] {
			if demographics.Tables[demographics.Cells[c].Table].ID == "tenure" {
				continue // may be missing in some of the parts
			}
			if sum := cells[1][c] + cells[2][c] + cells[3][c] + cells[4][c]; math.Abs(sum-whole) > 1e-6*max(whole, 1) {
				t.Fatalf("%s: %v in four parts, %v in total", demographics.Cells[c].ID, sum, whole)
			}
		}
	})
}

func TestTableOfTooFewAreasIsMissing(t *testing.T) {
	town := &township{wide: 40}
	table := town.write(t)
	found := 0
	err := Compute(context.Background(), table, table.Areas(),
		func(i int) (Request, error) {
			x, y := i%6*groupSide, i/6*groupSide
			return Request{Country: "US", Outline: town.box(x, y, x+groupSide, y+groupSide)}, nil
		},
		func(i int, r *Result) error {
			if _, ok := r.Cells.Get(ownersCell); ok {
				found++
			}
			if people, ok := r.Cells.Get(populationCell); !ok || people.Estimate < 500 || r.Values == nil || !r.Summed {
				return fmt.Errorf("geography %d has %v people", i, people)
			}
			return nil
		})
	must(t, err)
	want := 0
	for area := range table.Areas() {
		if _, ok := table.Value(area, ownersCell); ok {
			want++
		}
	}
	if found != want || want == table.Areas() {
		t.Errorf("%d of %d geographies have what %d areas have", found, table.Areas(), want)
	}
}

// BenchmarkPeople computes the demographics of 100,000 geographies of nested levels over 1,000,000 blocks.
//
//	go test ./build/estimates -run '^$' -bench People -benchtime 1x
func BenchmarkPeople(b *testing.B) {
	for _, wide := range []int{500, 1000} {
		b.Run(fmt.Sprint(wide*wide, " blocks"), func(b *testing.B) {
			town := &township{wide: wide}
			table := town.write(b)
			var outlines []orb.MultiPolygon
			for _, side := range []int{4, 5, 8, 14, 40, 120, 333} {
				for y := 1; y+side < wide; y += side {
					for x := 1; x+side < wide; x += side {
						outlines = append(outlines, town.box(x, y, x+side, y+side))
					}
				}
			}
			b.ResetTimer()
			for range b.N {
				people := 0.0
				must(b, Compute(context.Background(), table, len(outlines),
					func(i int) (Request, error) {
						return Request{Country: "US", Outline: outlines[i], HomeValue: true}, nil
					},
					func(i int, r *Result) error {
						f, _ := r.Cells.Get(populationCell)
						people += f.Estimate
						return nil
					}))
				if people == 0 {
					b.Error("no people")
				}
			}
			b.ReportMetric(float64(len(outlines)), "geographies")
		})
	}
}

func rectangle(west, south, east, north float64) orb.MultiPolygon {
	return orb.MultiPolygon{{{{west, south}, {east, south}, {east, north}, {west, north}, {west, south}}}}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
