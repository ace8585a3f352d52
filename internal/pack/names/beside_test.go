package names

import (
	"cmp"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"quartier/schemas"
)

// divided is a gazetteer in one index, and divided over two. Entry.Index of every entry is its index in all.
type divided struct {
	all    []Entry
	second map[int]bool // in the second index
	hidden map[int]bool // in the second index, and not seen

	one, first, next *Index
	beside           *Beside
	numbers          [2][]int // by index in the first and in the second index: index in all
}

// divide makes the indexes. Those of the two number their entries on their own, as the packs of two components do.
func divide(t testing.TB, all []Entry, second, hidden map[int]bool) *divided {
	t.Helper()
	d := &divided{all: all, second: second, hidden: hidden}
	var lists [2][]Entry
	var seen []Entry
	for i, e := range all {
		which := 0
		if second[i] {
			which = 1
		}
		if !hidden[i] {
			seen = append(seen, e)
		}
		e.Index = uint32(len(lists[which]))
		e.Within = nil
		for _, other := range all[i].Within {
			if at := slices.Index(d.numbers[which], int(other)); at >= 0 {
				e.Within = append(e.Within, uint32(at))
			}
		}
		d.numbers[which] = append(d.numbers[which], i)
		lists[which] = append(lists[which], e)
	}
	d.one, d.first, d.next = open(t, seen), open(t, lists[0]), open(t, lists[1])
	d.beside = NewBeside(d.first, d.next, func(j int) bool { return !hidden[d.numbers[1][j]] }, func(j, i int) bool {
		a, b := &all[d.numbers[1][j]], &all[d.numbers[0][i]]
		return cmp.Or(cmp.Compare(a.Population, b.Population), cmp.Compare(a.Level, b.Level), cmp.Compare(b.ID, a.ID)) > 0
	})
	d.beside.From = 1000
	return d
}

// number is the index in all of a Match.Index.
func (d *divided) number(index int) int {
	if index >= d.beside.From {
		return d.numbers[1][index-d.beside.From]
	}
	return d.numbers[0][index]
}

// index is the Match.Index of an entry of all.
func (d *divided) index(i int) int {
	if d.second[i] {
		return d.beside.From + slices.Index(d.numbers[1], i)
	}
	return slices.Index(d.numbers[0], i)
}

// check compares a search in one index with that in two.
func (d *divided) check(t interface{ Fatalf(string, ...any) }, q Query) {
	var want, got Result
	d.one.Search(&q, &want)
	q.Beside = d.beside
	q.Within = func(index int) (in []int) {
		for _, i := range d.all[d.number(index)].Within {
			if !d.hidden[int(i)] {
				in = append(in, d.index(int(i)))
			}
		}
		return in
	}
	d.first.Search(&q, &got)
	for i := range got.Matches {
		got.Matches[i].Index = d.number(got.Matches[i].Index)
	}
	if diff := gocmp.Diff(want.Matches, got.Matches, equalWhenEmpty); diff != "" {
		t.Fatalf("%s, limit %d, mine %v, hidden %v: (-one +two)\n%s", q.Name, q.Limit, d.second, d.hidden, diff)
	}
}

// TestBesideIsAsInOneIndex puts some geographies into a second index, where there are others that are not seen.
func TestBesideIsAsInOneIndex(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		var all []Entry
		second, hidden := map[int]bool{}, map[int]bool{}
		for i := range rapid.IntRange(2, 40).Draw(rt, "entries") {
			e := entry(uint32(i), drawName(rt), drawName(rt), int64(rapid.IntRange(-1, 3).Draw(rt, "population")))
			e.Level, e.Regions = schemas.Levels[len(schemas.Levels)-1-i*len(schemas.Levels)/40], []string{[]string{"CA_QC", "US_OR"}[i%2]}
			for j := range i {
				if all[j].Level > e.Level && rapid.IntRange(0, 3).Draw(rt, "within") == 0 {
					e.Within = append(e.Within, uint32(j))
				}
			}
			switch rapid.IntRange(0, 3).Draw(rt, "whose") {
			case 0:
				second[i] = true
			case 1:
				second[i], hidden[i] = true, true
			}
			all = append(all, e)
		}
		for i := range all {
			all[i].Within = slices.DeleteFunc(all[i].Within, func(j uint32) bool { return hidden[int(j)] })
		}
		d := divide(t, all, second, hidden)
		for range 10 {
			name := mutate(rt, rapid.SampledFrom(all).Draw(rt, "entry").Name.EN, rapid.IntRange(0, 2).Draw(rt, "errors"))
			if rapid.Bool().Draw(rt, "in an area") {
				name += ", " + rapid.SampledFrom(all).Draw(rt, "area").Name.EN
			}
			d.check(rt, Query{Name: name, Language: rapid.SampledFrom([]string{"en", "fr"}).Draw(rt, "language"),
				Limit: rapid.SampledFrom([]int{1, 5, 50}).Draw(rt, "limit")})
		}
	})
}

// TestBesideInAnArea looks up geographies of either index in areas of the other one.
func TestBesideInAnArea(t *testing.T) {
	all := world()
	d := divide(t, all, map[int]bool{2: true, 4: true, 13: true, 18: true}, map[int]bool{}) // Portland, Mount Tabor, The Glebe, Old Harbor
	for name, want := range map[string]int{
		"Old Town, Portland":       5,  // of the first in one of the second
		"Glebe, Ottawa":            13, // of the second in one of the first
		"Tabor, Portland":          4,  // both of the second
		"Mount Tabor, Multnomah":   4,
		"harbor, portland, oregon": 18,
		"Stumptown":                2,
	} {
		q := Query{Name: name, Language: "en", Limit: 5}
		d.check(t, q)
		var r Result
		if d.one.Search(&q, &r); len(r.Matches) == 0 || r.Matches[0].Index != want {
			t.Errorf("%s: %v", name, r.Matches)
		}
	}
}

// BenchmarkBeside measures searches beside the 100 names of one of 1,000 customers.
//
//	go test ./internal/pack/names -run '^$' -bench Beside
func BenchmarkBeside(b *testing.B) {
	first, second := gazetteer(50_000), gazetteer(100_000)
	x, y := open(b, first), open(b, second)
	beside := NewBeside(x, y, func(j int) bool { return j%1000 == 7 },
		func(j, i int) bool { return second[j].Population > first[i].Population })
	asked := typos(first, 100)
	for _, with := range []*Beside{nil, beside} {
		name := "without"
		if with != nil {
			name = "with"
		}
		b.Run(name, func(b *testing.B) {
			var r Result
			for n := 0; b.Loop(); n++ {
				x.Search(&Query{Name: asked[n%len(asked)], Limit: 5, Beside: with, Within: func(int) []int { return nil }}, &r)
			}
		})
	}
}
