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

// content is what a pack has, by section; geographies are those that are added.
type content struct {
	jobNodes    []uint32
	jobs        []uint64
	ground      []coord.Point
	values      []uint32
	nodes       []uint32
	cells       []uint32
	geographies []geography
}

type geography struct {
	id     string
	street bool
	values []uint32
}

func (c *content) write(out *pack.Writer) error {
	w := NewWriter(out)
	w.JobNodes.Append(c.jobNodes...)
	w.Jobs.Append(c.jobs...)
	if c.ground != nil {
		w.Ground.Append(c.ground)
	}
	w.Values.Append(c.values...)
	w.Nodes.Append(c.nodes...)
	w.Cells.Append(c.cells...)
	for _, g := range c.geographies {
		if err := w.AddGeography(g.id, g.street, g.values); err != nil {
			return err
		}
	}
	return nil
}

func open(t testing.TB, c *content) (*pack.File, *Table) {
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

func drawContent(t *rapid.T) *content {
	nodes := rapid.Map(rapid.SliceOfNDistinct(rapid.Uint32Range(0, 99), 0, 20, rapid.ID[uint32]),
		func(list []uint32) []uint32 { return slices.Sorted(slices.Values(list)) })
	c := &content{ground: square, jobNodes: nodes.Draw(t, "jobs"), nodes: nodes.Draw(t, "homes")}
	for range c.jobNodes {
		c.jobs = append(c.jobs, rapid.Uint64Range(1, 1e9).Draw(t, "jobs"))
	}
	cells := rapid.IntRange(1, 5).Draw(t, "cells")
	for range cells {
		c.values = append(c.values, drawValues(t)...)
	}
	for range c.nodes {
		c.cells = append(c.cells, rapid.Uint32Range(0, uint32(cells-1)).Draw(t, "cell"))
	}
	for _, id := range []string{"g10_0000000001", "g40_0000000000", "g40_zzzzzzzzzz"}[:rapid.IntRange(0, 3).Draw(t, "geographies")] {
		c.geographies = append(c.geographies, geography{id, rapid.Bool().Draw(t, "street"), drawValues(t)})
	}
	return c
}

func TestWhatGoesInComesOut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		c := drawContent(rt)
		_, table := open(t, c)
		if !slices.Equal(table.JobNodes(), c.jobNodes) || !slices.Equal(table.Jobs(), c.jobs) {
			rt.Errorf("jobs %v at %v, want %v at %v", table.Jobs(), table.JobNodes(), c.jobs, c.jobNodes)
		}
		into := make([]uint32, len(schemas.TravelMeasures))
		for node := range uint32(100) {
			i, want := slices.BinarySearch(c.nodes, node)
			if ok := table.AtNode(node, into); ok != want || ok && !slices.Equal(into, c.values[int(c.cells[i])*len(into):][:len(into)]) {
				rt.Errorf("node %d: %v, %v", node, into, ok)
			}
		}
		for _, g := range c.geographies {
			if street, ok := table.Geography(g.id, into); !ok || street != g.street || !slices.Equal(into, g.values) {
				rt.Errorf("geography %s: %v by street %v, want %v", g.id, into, street, g)
			}
		}
		if _, ok := table.Geography("g20_0000000001", into); ok || table.Geographies() != len(c.geographies) {
			rt.Errorf("an unknown geography, or %d geographies", table.Geographies())
		}
	})
}

func TestJobsAreKnownOnTheirGround(t *testing.T) {
	_, table := open(t, &content{ground: square})
	var none Table
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
	first, second := geography{"g10_0000000000", false, values}, geography{"g40_0000000000", false, values}
	for name, c := range map[string]*content{
		"jobs out of order":                      {jobNodes: []uint32{2, 1}, jobs: []uint64{1, 1}},
		"a node twice":                           {values: values, nodes: []uint32{1, 1}, cells: []uint32{0, 0}},
		"a node in a cell that does not exist":   {values: values, nodes: []uint32{1}, cells: []uint32{1}},
		"geographies out of order":               {geographies: []geography{second, first}},
		"a geography with a measure and no more": {geographies: []geography{{first.id, false, values[:1]}}},
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
	f, _ := open(t, &content{[]uint32{1, 2}, []uint64{1000, 500}, square, values, []uint32{1, 2}, []uint32{0, 0},
		[]geography{{"g40_0000000000", false, values}}})
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
