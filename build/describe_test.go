package build

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

// township is a square of wide × wide blocks of about 100 m, of which seven by seven are a small area with people,
// households by tenure and ages; some blocks are empty, and some areas do not tell the tenure.
type township struct {
	wide   int
	people float64 // in all
}

const (
	blockSide = 0.001 // degrees
	groupSide = 7     // blocks
)

func (g township) at(x, y int) orb.Point {
	return orb.Point{-100 + blockSide*float64(x), 40 + blockSide*float64(y)}
}

// box is the blocks from one corner up to before the other.
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

// write makes the table of the township in a file of the test's own.
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
				parts = append(parts, smallareas.Part{Outline: g.box(x, y, x+1, y+1), Weights: [demographics.Universes]float64{weight, weight / 2, weight / 2}})
			}
		}
		people, tells := float64(500+random.IntN(1500)), random.IntN(8) > 0
		g.people += people
		var values []smallareas.Value
		for i := range demographics.Cells {
			cell := &demographics.Cells[i]
			f := margin.Figure{Estimate: float64(random.IntN(100)), MOE: float64(random.IntN(40))}
			switch id := demographics.Tables[cell.Table].ID; {
			case i == populationCell:
				f.Estimate = people
			case !cell.Has("US") || cell.Role == demographics.Scalar && i != homeValueCell || id == "tenure" && !tells:
				continue
			}
			values = append(values, smallareas.Value{Cell: i, Figure: f})
		}
		must(t, w.AddArea("US_KS", values, parts))
	}
	must(t, w.Finish())
	must(t, out.Close())
	table, closeTable, err := openSmallAreas(path)
	must(t, err)
	t.Cleanup(func() { closeTable() })
	return table
}

// Whatever a geography is divided into, the parts have together what it has: each count, and of the whole township the
// people that it was made with.
func TestPartsOfAGeographyAddUp(t *testing.T) {
	town := &township{wide: 40}
	table := town.write(t)
	rapid.Check(t, func(t *rapid.T) {
		side := rapid.IntRange(0, 40)
		x, y := side.Draw(t, "x"), side.Draw(t, "y")
		shift := rapid.Float64Range(0, 1).Draw(t, "shift") // of the cut beside the edges of blocks
		cutX, cutY := town.at(x, y)[0]+shift*blockSide, town.at(x, y)[1]+shift*blockSide/3
		a, b := town.at(-1, -1), town.at(42, 42)
		outlines := []orb.MultiPolygon{
			rectangle(a[0], a[1], b[0], b[1]),
			rectangle(a[0], a[1], cutX, cutY), rectangle(cutX, a[1], b[0], cutY), rectangle(a[0], cutY, cutX, b[1]), rectangle(cutX, cutY, b[0], b[1]),
		}
		var cells [5][demographics.CellCount]float64
		err := DescribeGeographies(context.Background(), table, len(outlines),
			func(i int) (Outlined, error) { return Outlined{Country: "US", Outline: outlines[i]}, nil },
			func(i int, d *Description) error {
				for c := range cells[i] {
					f, _ := d.Cells.Get(c)
					cells[i][c] = f.Estimate
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
		if got := cells[0][populationCell]; math.Abs(got-town.people) > 1e-6*town.people {
			t.Fatalf("%v people in place of %v", got, town.people)
		}
		for c, whole := range cells[0] {
			if demographics.Tables[demographics.Cells[c].Table].ID == "tenure" {
				continue // which corners may not tell
			}
			if sum := cells[1][c] + cells[2][c] + cells[3][c] + cells[4][c]; math.Abs(sum-whole) > 1e-6*max(whole, 1) {
				t.Fatalf("%s: %v in four parts, %v in all", demographics.Cells[c].ID, sum, whole)
			}
		}
	})
}

func TestATableThatFewTellIsNotTold(t *testing.T) {
	town := &township{wide: 40}
	table := town.write(t)
	tells := 0
	err := DescribeGeographies(context.Background(), table, table.Areas(),
		func(i int) (Outlined, error) {
			x, y := i%6*groupSide, i/6*groupSide
			return Outlined{Country: "US", Outline: town.box(x, y, x+groupSide, y+groupSide)}, nil
		},
		func(i int, d *Description) error {
			if _, ok := d.Cells.Get(ownersCell); ok {
				tells++
			}
			if people, ok := d.Cells.Get(populationCell); !ok || people.Estimate < 500 || d.Values == nil || !d.Summed {
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
	if tells != want || want == table.Areas() {
		t.Errorf("%d of %d geographies tell what %d areas do", tells, table.Areas(), want)
	}
}

// BenchmarkPeople describes 100,000 geographies of nested levels over 1,000,000 blocks.
//
//	go test ./build -run '^$' -bench People -benchtime 1x
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
				must(b, DescribeGeographies(context.Background(), table, len(outlines),
					func(i int) (Outlined, error) { return Outlined{Country: "US", Outline: outlines[i], Worth: true}, nil },
					func(i int, d *Description) error {
						f, _ := d.Cells.Get(populationCell)
						people += f.Estimate
						return nil
					}))
				if people == 0 {
					b.Error("nobody")
				}
			}
			b.ReportMetric(float64(len(outlines)), "geographies")
			_, peak := used(b)
			b.ReportMetric(peak, "peak-MB")
		})
	}
}
