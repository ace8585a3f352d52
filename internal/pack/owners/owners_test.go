package owners

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
)

// places are geographies of two customers.
var places = []Owner{{"acme", false}, {"bell", false}, {"acme", true}, {"acme", false}, {"bell", true}}

func open(t testing.TB, list []Owner) (*pack.File, *Table) {
	t.Helper()
	f := packtest.Open(t, func(out *pack.Writer) error { return Write(out, list) })
	table, err := Open(f)
	if err != nil {
		t.Fatal(err)
	}
	return f, table
}

func TestWhatGoesInComesOut(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		list := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) Owner {
			return Owner{rapid.StringMatching(`[a-cé]{1,2}`).Draw(rt, "customer"), rapid.Bool().Draw(rt, "deprecated")}
		}), 0, 40).Draw(rt, "list")
		_, table := open(t, list)
		want := map[string][]uint32{}
		for i, o := range list {
			if table.Customer(i) != o.Customer || table.Deprecated(i) != o.Deprecated {
				rt.Errorf("geography %d: %s, %v; want %v", i, table.Customer(i), table.Deprecated(i), o)
			}
			want[o.Customer] = append(want[o.Customer], uint32(i))
		}
		if table.Len() != len(list) || table.Customers() != len(want) {
			rt.Errorf("%d geographies of %d customers", table.Len(), table.Customers())
		}
		for customer, indexes := range want {
			if !slices.Equal(table.Of(customer), indexes) {
				rt.Errorf("%s has %v, want %v", customer, table.Of(customer), indexes)
			}
		}
		for _, other := range []string{"", "a0", "zz", "\x00"} {
			if table.Of(other) != nil {
				rt.Errorf("%q has geographies", other)
			}
		}
	})
}

func TestNobodysGeographyIsRefused(t *testing.T) {
	out, err := pack.Create(t.TempDir() + "/x.pack")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Abort()
	if err := Write(out, []Owner{{"acme", false}, {"", true}}); err == nil || !strings.Contains(err.Error(), "geography 1 has no customer") {
		t.Errorf("error %v", err)
	}
}

// TestContradictionsAreRefused checks packs whose checksums are right, and whose sections do not fit each other.
func TestContradictionsAreRefused(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		customers  []string
		of         []uint32
		deprecated []uint8
		lists      [][]uint32
	}{
		{"listed by another", "geography 0 is in the list of customer 1", []string{"a", "b"}, []uint32{0}, []uint8{0}, [][]uint32{nil, {0}}},
		{"listed by nobody", "0 of 1 geographies", []string{"a"}, []uint32{0}, []uint8{0}, [][]uint32{nil}},
		{"listed twice", "geography 0 is in the list", []string{"a"}, []uint32{0}, []uint8{0}, [][]uint32{{0, 0}}},
		{"none such", "geography 7 is in the list", []string{"a"}, []uint32{0}, []uint8{0}, [][]uint32{{0, 7}}},
		{"of nobody", "0 of 1 geographies", []string{"a"}, []uint32{4}, []uint8{0}, [][]uint32{nil}},
		{"customers out of order", "not in order", []string{"b", "a"}, nil, nil, [][]uint32{nil, nil}},
		{"no name", "not in order", []string{""}, nil, nil, [][]uint32{nil}},
		{"half deprecated", "deprecated is 2", []string{"a"}, []uint32{0}, []uint8{2}, [][]uint32{{0}}},
		{"flags are missing", "1 elements, not 2", []string{"a"}, []uint32{0, 0}, []uint8{0}, [][]uint32{{0, 1}}},
		{"lists are missing", "0 elements, not 1", []string{"a"}, []uint32{0}, []uint8{0}, nil},
	} {
		f := packtest.Open(t, func(out *pack.Writer) error {
			pack.PutTexts(out, "owners.customer", tt.customers)
			pack.Put(out, "owners.of", tt.of)
			pack.Put(out, "owners.deprecated", tt.deprecated)
			lists := pack.NewLists[uint32](out, "owners.geography")
			for _, l := range tt.lists {
				lists.Append(l)
			}
			return nil
		})
		if _, err := Open(f); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %q", tt.name, err, tt.want)
		}
	}
}

// lookUp calls all look-ups of a table.
func lookUp(table *Table) {
	for i := range table.Len() {
		_ = strings.Clone(table.Customer(i))
		table.Deprecated(i)
	}
	for _, customer := range []string{"acme", "bell", ""} {
		for _, i := range table.Of(customer) {
			table.Customer(int(i))
		}
	}
}

func TestDamageNeverPanics(t *testing.T) {
	// Open refuses damaged numbers; a long name makes some of the copies open.
	f, _ := open(t, []Owner{{strings.Repeat("acme", 100_000), false}})
	packtest.Damage(t, f, 300, func(f *pack.File) bool {
		table, err := Open(f)
		if err != nil {
			return false
		}
		lookUp(table)
		return true
	})
}

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) {
	good := packtest.Open(f, func(out *pack.Writer) error { return Write(out, places) })
	packtest.Fuzz(f, good, func(file *pack.File) {
		if table, err := Open(file); err == nil {
			lookUp(table)
		}
	})
}

// BenchmarkOf measures the look-up of the geographies of one of 1,000 customers, who have 100,000.
//
//	go test ./internal/pack/owners -run '^$' -bench .
func BenchmarkOf(b *testing.B) {
	_, table := open(b, many())
	names := make([]string, 1000)
	for c := range names {
		names[c] = fmt.Sprintf("customer %03d", c)
	}
	for n := 0; b.Loop(); n++ {
		table.Of(names[n%len(names)])
	}
}

func BenchmarkOpen(b *testing.B) {
	f, _ := open(b, many())
	for b.Loop() {
		if _, err := Open(f); err != nil {
			b.Fatal(err)
		}
	}
}

func many() []Owner {
	random := rand.New(rand.NewPCG(1, 2))
	list := make([]Owner, 100_000)
	for i := range list {
		list[i] = Owner{fmt.Sprintf("customer %03d", random.IntN(1000)), random.IntN(20) == 0}
	}
	return list
}
