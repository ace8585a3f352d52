package addresses

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"quartier/internal/address"
	"quartier/internal/pack"
	"quartier/internal/pack/packtest"
)

// townFile is the file of town.
func townFile(t testing.TB) *pack.File {
	records, ranges := town()
	return packtest.Open(t, func(out *pack.Writer) error {
		w := NewWriter(out, "")
		defer w.Close()
		for i := range records {
			if err := w.Add(&records[i]); err != nil {
				return err
			}
		}
		if err := w.AddRange(&ranges[0]); err != nil {
			return err
		}
		return w.Finish()
	})
}

// lookUpAll searches a table in every way.
func lookUpAll(table *Table) {
	var found Found
	var s Suggestions
	var n Nearby
	for _, line := range []string{
		"104 Main St, Ottawa ON K1A 0B1", "104 Mian St", "250 Bank St, Ottawa", "120 Main, Perth", "Ottawa", "K1A", "Main & Bank, Ottawa",
	} {
		table.Find(&Query{Address: address.Read(line), Level: Place}, &found)
		table.Suggest(line, nil, 5, nil, &s)
	}
	table.Nearest(-75.69, 45.42, 500, &n)
}

// TestDamaged uses tables with damaged bytes: nothing may fail but what is found.
func TestDamaged(t *testing.T) {
	packtest.Damage(t, townFile(t), 200, func(f *pack.File) bool {
		table, err := Open(f)
		if err == nil {
			lookUpAll(table)
		}
		return err == nil
	})
}

// FuzzTable overwrites a few bytes of a valid file where the container does not detect it.
func FuzzTable(f *testing.F) {
	packtest.Fuzz(f, townFile(f), func(file *pack.File) {
		if table, err := Open(file); err == nil {
			lookUpAll(table)
		}
	})
}

// FuzzFind looks any bytes up: none, one or two places, each as good as its score, none below the level that is asked for, and the same
// whatever was looked for before.
func FuzzFind(f *testing.F) {
	for _, line := range []string{
		"104 Main St, Ottawa ON K1A 0B1", "12 rue de l'Eglise", "32 Sparks St", "PO Box 1", "Main St & Bank St, Ottawa", "\xff1\x004",
		strings.Repeat("104 ", 100), "'; DROP TABLE address; --", "<b>104</b>", "9 Nowhere Rd, Ottawa", "104 Main St (Ottawa), Perth",
		"251 Bank St", "#104 Main St",
	} {
		f.Add(line)
	}
	table := table(f, first(town()), second(town()))
	var found, again Found
	var s Suggestions
	f.Fuzz(func(t *testing.T, text string) {
		a := address.Read(text)
		table.Find(&Query{Address: a, Level: Place}, &found)
		for _, m := range found.Matches {
			if len(found.Matches) > 2 || m.Level >= None || m.Score < least || m.Score > 1 || m.UncertaintyM <= 0 || !utf8.ValidString(m.Text) {
				t.Errorf("%q is %s within %v m", text, show(found.Matches), m.UncertaintyM)
			}
		}
		if len(text) > address.MaxBytes && len(found.Matches) > 0 || !utf8.ValidString(text) && len(found.Matches) > 0 {
			t.Errorf("%q is %s", text, show(found.Matches))
		}
		for level := range Place {
			table.Find(&Query{Address: a, Level: level}, &again)
			if want := len(found.Matches) > 0 && found.Matches[0].Level <= level; want != (len(again.Matches) > 0) ||
				want && fmt.Sprint(again.Matches) != fmt.Sprint(found.Matches) {
				t.Errorf("%q of the level %s: %s, of any %s", text, LevelNames[level], show(again.Matches), show(found.Matches))
			}
		}
		table.Suggest(text, nil, 5, nil, &s)
	})
}
