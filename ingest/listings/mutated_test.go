package listings_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"quartier/ingest/kinds/reso"
	"quartier/ingest/listings"
	"quartier/ingest/source"
	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// marketDays is the number of days that TestMutatedMarketDays takes in: -days 10000 for a long run.
var marketDays = flag.Int("days", 100, "mutated market days")

// home is a closed listing of a market day, as its file should be read.
type home struct {
	key       string
	on, close market.Day
	price     int64
}

// marketFile is a file of homes with what a mutation may change of how it is written.
type marketFile struct {
	homes     []home
	columns   []string
	date      string // layout
	price     func(int64) string
	separator string
	spoil     map[int]string // column of a row that is something else: "7 close_date x"
	cut       int            // bytes from the end that are missing
}

func newMarketFile(r *rand.Rand) *marketFile {
	f := &marketFile{columns: []string{"ListingKey", "StandardStatus", "OnMarketDate", "CloseDate", "ClosePrice", "PostalCode", "ListingId"},
		date:  "2006-01-02",
		price: func(n int64) string { return strconv.FormatInt(n, 10) }, separator: ",", spoil: map[int]string{}}
	for i := range 60 {
		on := market.DayOf(2024, 1, 1) + market.Day(r.IntN(300))
		f.homes = append(f.homes, home{fmt.Sprint("k", i), on, on + market.Day(10+r.IntN(60)), int64(200_000 + r.IntN(800_000))})
	}
	return f
}

// text writes the file.
func (f *marketFile) text() string {
	var b strings.Builder
	b.WriteString(strings.Join(f.columns, f.separator) + "\n")
	quoted := func(text string) string {
		if strings.Contains(text, f.separator) {
			return `"` + text + `"`
		}
		return text
	}
	for i, h := range f.homes {
		of := map[string]string{"ListingKey": h.key, "StandardStatus": "Closed", "OnMarketDate": dateOf(h.on, f.date),
			"CloseDate":  dateOf(h.close, f.date),
			"ClosePrice": f.price(h.price), "PostalCode": "10001", "ListingId": "id" + h.key}
		if column, value, found := strings.Cut(f.spoil[i], " "); found {
			of[column] = value
		}
		var cells []string
		for _, c := range f.columns {
			cells = append(cells, quoted(of[c]))
		}
		b.WriteString(strings.Join(cells, f.separator) + "\n")
	}
	return b.String()[:max(b.Len()-f.cut, 1)]
}

func dateOf(d market.Day, layout string) string {
	year, month, day := d.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Format(layout)
}

// mutations change a file: which homes it has, what they are, or how they are written.
var mutations = []func(r *rand.Rand, f *marketFile){
	func(r *rand.Rand, f *marketFile) { f.homes = f.homes[:r.IntN(len(f.homes))] },
	func(r *rand.Rand, f *marketFile) { f.homes = slices.Delete(f.homes, 3, 3+r.IntN(12)) },
	func(r *rand.Rand, f *marketFile) { f.homes = append(f.homes, f.homes[:r.IntN(10)]...) },
	func(r *rand.Rand, f *marketFile) {
		f.homes = append(f.homes, home{"new", market.DayOf(2024, 2, 3), market.DayOf(2024, 3, 4), 300_000})
	},
	func(r *rand.Rand, f *marketFile) { f.homes[r.IntN(5)].price *= 100 },
	func(r *rand.Rand, f *marketFile) { f.homes[r.IntN(5)].close++ },
	func(r *rand.Rand, f *marketFile) { f.date = "2/1/2006" },
	func(r *rand.Rand, f *marketFile) { f.date = "1/2/2006" },
	func(r *rand.Rand, f *marketFile) { f.date = "02-01-06" },
	func(r *rand.Rand, f *marketFile) {
		f.date, f.homes = "2/1/2006", slices.DeleteFunc(f.homes, func(h home) bool { // undecided
			_, _, a := h.on.Date()
			_, _, b := h.close.Date()
			return a > 12 || b > 12
		})
	},
	func(r *rand.Rand, f *marketFile) { f.price = func(n int64) string { return fmt.Sprintf("US$%d", n) } },
	func(r *rand.Rand, f *marketFile) {
		f.price = func(n int64) string { return fmt.Sprintf("$%d,%03d", n/1000, n%1000) }
	},
	func(r *rand.Rand, f *marketFile) { f.price = func(n int64) string { return fmt.Sprintf("%d EUR", n) } },
	func(r *rand.Rand, f *marketFile) { f.spoil[r.IntN(20)] = "ClosePrice n.a. 1" },
	func(r *rand.Rand, f *marketFile) { f.spoil[r.IntN(20)] = "CloseDate 31/31/2024" },
	func(r *rand.Rand, f *marketFile) { f.spoil[r.IntN(20)] = "StandardStatus Zombie" },
	func(r *rand.Rand, f *marketFile) { f.columns[1+r.IntN(len(f.columns)-1)] = "Other" },
	func(r *rand.Rand, f *marketFile) {
		r.Shuffle(len(f.columns), func(i, j int) { f.columns[i], f.columns[j] = f.columns[j], f.columns[i] })
	},
	func(r *rand.Rand, f *marketFile) { f.separator = ";" },
	func(r *rand.Rand, f *marketFile) { f.cut = 3 + r.IntN(1500) },
}

// TestMutatedMarketDays takes in files of a market that replace each other, each with up to three mutations. A day that is
// accepted has what its file has, or the report counts what is other: homes are not lost, moved or misread in silence. A day that
// is refused leaves what was there.
func TestMutatedMarketDays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "day.csv")
	share := 0.05
	options := listings.Options{Sources: []listings.Source{{ListingSource: staged.ListingSource{SourceID: "mls"}, Kind: reso.Kind,
		Input: source.Input{Source: "mls", Path: path, Country: "US"}, MaxRejected: &share}}}
	var after []string // the homes of the day before
	r, outcomes := rand.New(rand.NewPCG(30, 6)), map[string]int{}
	for day := range *marketDays {
		if day%25 == 0 { // another market: the database keeps what was refused until the next intake
			options.Work, after = filepath.Join(t.TempDir(), "work"), nil
		}
		f := newMarketFile(rand.New(rand.NewPCG(1, 1)))
		full := len(f.homes)
		for range min(day%25, 1+r.IntN(3)) {
			if m := mutations[r.IntN(len(mutations))]; len(f.homes) > full-15 {
				m(r, f)
			}
		}
		if err := os.WriteFile(path, []byte(f.text()), 0o600); err != nil {
			t.Fatal(err)
		}
		before := after
		changes, err := listings.Take(context.Background(), options)
		after = soldHomes(t, options.Work)
		if err != nil {
			outcomes["refused"]++
			known := errors.Is(err, listings.ErrFewer) || errors.Is(err, source.ErrTooManyRejects) || errors.Is(err, source.ErrNothingLeft) ||
				errors.Is(err, source.ErrBadOptions)
			if !known || !slices.Equal(before, after) {
				t.Fatalf("day %d: %v, %d homes before, %d after", day, err, len(before), len(after))
			}
			continue
		}
		outcomes["accepted"]++
		if added, removed := missing(after, before),
			missing(before, after); int64(added+removed) > 2*(changes.Added+changes.Changed+changes.Removed) {
			t.Fatalf("day %d: %d homes came and %d went, %+v", day, added, removed, changes)
		}
		whole := lastOfKey(f.homes[:min(max(strings.Count(f.text(), "\n")-1, 0), len(f.homes))])
		other, partial := missing(whole, after)+missing(after, whole), min(f.cut, 1) // of a file that is cut the last row may be another
		if named := reported(t, options.Work); other > 2*named+partial {
			t.Fatalf("day %d: %d homes are other than in the file, and %d rows are reported:\n%s", day, other, named, f.text())
		}
	}
	t.Logf("%v", outcomes)
	if outcomes["accepted"] < *marketDays/4 || outcomes["refused"] < *marketDays/10 {
		t.Errorf("%v of %d days", outcomes, *marketDays)
	}
}

// lastOfKey are the homes of a file as texts, of those with one key the last.
func lastOfKey(homes []home) (list []string) {
	last := map[string]home{}
	for _, h := range homes {
		last[h.key] = h
	}
	for _, h := range last {
		list = append(list, fmt.Sprintf("%s %d %d %d", h.key, h.on, h.close, h.price))
	}
	slices.Sort(list)
	return list
}

// soldHomes are the homes that were taken in, in the form of lastOfKey.
func soldHomes(t *testing.T, work string) (list []string) {
	for key, text := range contents(t, work,
		"SELECT listing_key, on_day || ' ' || close_day || ' ' || close_price FROM listing WHERE on_day IS NOT NULL AND close_day IS NOT NULL "+
			"AND close_price IS NOT NULL") {
		list = append(list, key+" "+strings.TrimSpace(text))
	}
	slices.Sort(list)
	return list
}

// missing is the number of texts of a list that another one does not have.
func missing(list, from []string) (n int) {
	for _, text := range list {
		if _, found := slices.BinarySearch(from, text); !found {
			n++
		}
	}
	return n
}

// reported is the number of rows that the report of the last intake counts.
func reported(t *testing.T, work string) (n int) {
	for _, text := range contents(t, work,
		"SELECT 'all', coalesce(sum(rows), 0)::VARCHAR FROM listing_issue JOIN listing_file USING (file_id)") {
		n, _ = strconv.Atoi(strings.TrimSpace(text))
	}
	return n
}
