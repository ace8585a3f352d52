package reach

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/coord"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
	"quartier/schemas"
)

var square = []coord.Point{{Lng: 0, Lat: 0}, {Lng: 1000, Lat: 0}, {Lng: 1000, Lat: 1000}, {Lng: 0, Lat: 1000}, {Lng: 0, Lat: 0}}

// Home is a node with homes, in a cell; Jobs are thousandths of a job at a node; Geography has medians.
type (
	Home struct{ Node, Cell uint32 }
	Jobs struct {
		Node   uint32
		Number uint64
	}
	Geography struct {
		ID     string
		Street bool
		Values []uint32
	}
)

// Content is what a pack has.
type Content struct {
	Jobs        []Jobs
	Ground      [][]coord.Point
	Cells       [][]uint32
	Homes       []Home
	Geographies []Geography
}

func (c *Content) write(out *pack.Writer) error {
	w := NewWriter(out)
	for _, j := range c.Jobs {
		w.JobNodes.Append(j.Node)
		w.Jobs.Append(j.Number)
	}
	for _, ring := range c.Ground {
		w.Ground.Append(ring)
	}
	for _, values := range c.Cells {
		w.Values.Append(values...)
	}
	for _, h := range c.Homes {
		w.Nodes.Append(h.Node)
		w.Cells.Append(h.Cell)
	}
	for _, g := range c.Geographies {
		if err := w.AddGeography(g.ID, g.Street, g.Values); err != nil {
			return err
		}
	}
	return nil
}

func open(t testing.TB, c *Content) (*pack.File, *Table) {
	t.Helper()
	f := packtest.Open(t, c.write)
	table, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return f, table
}

func drawValues(t *rapid.T) []uint32 {
	value := rapid.OneOf(rapid.Uint32(), rapid.Just(uint32(Absent)), rapid.Just(uint32(0)))
	return rapid.SliceOfN(value, len(schemas.TravelMeasures), len(schemas.TravelMeasures)).Draw(t, "values")
}

func drawContent(t *rapid.T) *Content {
	c := &Content{Ground: [][]coord.Point{square}}
	nodes := rapid.SliceOfNDistinct(rapid.Uint32Range(0, 99), 0, 20, rapid.ID[uint32])
	for _, node := range slices.Sorted(slices.Values(nodes.Draw(t, "jobs"))) {
		c.Jobs = append(c.Jobs, Jobs{node, rapid.Uint64Range(1, 1e9).Draw(t, "jobs")})
	}
	for range rapid.IntRange(1, 5).Draw(t, "cells") {
		c.Cells = append(c.Cells, drawValues(t))
	}
	for _, node := range slices.Sorted(slices.Values(nodes.Draw(t, "homes"))) {
		c.Homes = append(c.Homes, Home{node, rapid.Uint32Range(0, uint32(len(c.Cells)-1)).Draw(t, "cell")})
	}
	for _, id := range []string{"g10_0000000001", "g40_0000000000", "g40_zzzzzzzzzz"}[:rapid.IntRange(0, 3).Draw(t, "geographies")] {
		c.Geographies = append(c.Geographies, Geography{id, rapid.Bool().Draw(t, "street"), drawValues(t)})
	}
	return c
}

func TestWhatGoesInComesOut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawContent(rt)
		_, table := open(t, c)
		for i, node := range table.JobNodes() {
			if got := (Jobs{node, table.Jobs()[i]}); got != c.Jobs[i] {
				rt.Errorf("jobs %v, want %v", got, c.Jobs[i])
			}
		}
		into := make([]uint32, len(schemas.TravelMeasures))
		for node := range uint32(100) {
			i, want := slices.BinarySearchFunc(c.Homes, node, func(h Home, node uint32) int { return int(h.Node) - int(node) })
			if ok := table.AtNode(node, into); ok != want || ok && !slices.Equal(into, c.Cells[c.Homes[i].Cell]) {
				rt.Errorf("node %d: %v, %v", node, into, ok)
			}
		}
		for _, g := range c.Geographies {
			if street, ok := table.Geography(g.ID, into); !ok || street != g.Street || !slices.Equal(into, g.Values) {
				rt.Errorf("geography %s: %v by street %v, want %v", g.ID, into, street, g)
			}
		}
		if _, ok := table.Geography("g20_0000000001", into); ok || table.Geographies() != len(c.Geographies) || len(table.Jobs()) != len(c.Jobs) {
			rt.Errorf("an unknown geography, or %d geographies and %d nodes with jobs", table.Geographies(), len(table.Jobs()))
		}
	})
}

func TestJobsAreKnownOnTheirGround(t *testing.T) {
	_, table := open(t, &Content{Ground: [][]coord.Point{square}})
	var none *Table
	inside, outside := coord.Point{Lng: 500, Lat: 500}, coord.Point{Lng: 1500, Lat: 500}
	if !table.KnowsJobs(inside) || table.KnowsJobs(outside) || none.KnowsJobs(inside) {
		t.Error("jobs are known beyond their ground, or not known on it")
	}
	if none.JobNodes() != nil || none.Jobs() != nil || none.AtNode(0, nil) {
		t.Error("a release without the pack has jobs")
	}
}

func TestWrongContentIsRefused(t *testing.T) {
	values := make([]uint32, len(schemas.TravelMeasures))
	for name, c := range map[string]*Content{
		"jobs out of order":                    {Jobs: []Jobs{{2, 1}, {1, 1}}},
		"a node twice":                         {Cells: [][]uint32{values}, Homes: []Home{{1, 0}, {1, 0}}},
		"a node in a cell that does not exist": {Cells: [][]uint32{values}, Homes: []Home{{1, 1}}},
		"geographies out of order": {Geographies: []Geography{{"g40_0000000000", false, values}, {"g10_0000000000", false,
			values}}},
		"a geography with a measure and no more": {Geographies: []Geography{{"g40_0000000000", false, values[:1]}}},
	} {
		if _, err := Open(packtest.Open(t, c.write)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	out, err := pack.Create(t.TempDir() + "/x.pack")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	if err := NewWriter(out).AddGeography("x", false, values); err == nil {
		t.Error("no geog_id: no error")
	}
}

// small is a pack with something in each section.
func small(t testing.TB) *pack.File {
	values := make([]uint32, len(schemas.TravelMeasures))
	f, _ := open(t, &Content{Jobs: []Jobs{{1, 1000}, {2, 500}}, Ground: [][]coord.Point{square}, Cells: [][]uint32{values},
		Homes: []Home{{1, 0}, {2, 0}}, Geographies: []Geography{{"g40_0000000000", false, values}}})
	return f
}

// lookUp opens the table in a file and looks everything up; false if it is refused.
func lookUp(f *pack.File) bool {
	table, err := Open(f)
	if err != nil {
		return false
	}
	into, sum := make([]uint32, len(schemas.TravelMeasures)), uint64(0)
	for i := range table.JobNodes() {
		sum += table.Jobs()[i]
	}
	if int(sum) < 0 {
		panic("more jobs than there are numbers")
	}
	for node := range uint32(3) {
		table.AtNode(node, into)
	}
	table.Geography("g40_0000000000", into)
	table.KnowsJobs(coord.Point{Lng: 1, Lat: 1})
	return true
}

func TestDamage(t *testing.T) { packtest.Damage(t, small(t), 200, lookUp) }

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) { packtest.Fuzz(f, small(f), func(file *pack.File) { lookUp(file) }) }
