package market

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func day(t testing.TB, text string) Day {
	t.Helper()
	d, err := ParseDay(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestIntervals(t *testing.T) {
	for _, c := range []struct{ asOf, code, first, last string }{
		{"2026-11-22", "30d", "2026-10-23", "2026-11-21"},
		{"2026-11-22", "60d", "2026-09-23", "2026-11-21"},
		{"2026-11-22", "31-60d", "2026-09-23", "2026-10-22"},
		{"2026-11-22", "120d", "2026-07-25", "2026-11-21"},
		{"2026-11-22", "12m", "2025-11-22", "2026-11-21"},
		{"2026-11-22", "13-24m", "2024-11-22", "2025-11-21"},
		{"2028-02-29", "12m", "2027-02-28", "2028-02-28"},
		{"2028-02-29", "13-24m", "2026-02-28", "2027-02-27"},
		{"2026-03-31", "2026-02", "2026-02-01", "2026-02-28"},
		{"2028-03-01", "2028-02", "2028-02-01", "2028-02-29"},
		{"2026-11-22", "2021-11", "2021-11-01", "2021-11-30"},
		{"2026-11-22", "2026Q3", "2026-07-01", "2026-09-30"},
		{"2026-11-22", "2021Q4", "2021-10-01", "2021-12-31"},
		{"2026-01-01", "2025Q4", "2025-10-01", "2025-12-31"},
	} {
		asOf := day(t, c.asOf)
		n, err := Parse(c.code, asOf, Intervals(asOf))
		if err != nil {
			t.Errorf("%s as of %s: %v", c.code, c.asOf, err)
			continue
		}
		i := Intervals(asOf)[n]
		if i.Code != c.code || i.First.String() != c.first || i.Last.String() != c.last {
			t.Errorf("%s as of %s is %s from %s to %s, want %s to %s", c.code, c.asOf, i.Code, i.First, i.Last, c.first, c.last)
		}
	}
}

func TestNoInterval(t *testing.T) {
	for _, c := range []struct{ asOf, code, want string }{
		{"2026-11-22", "2026-11", "not over"}, {"2026-11-22", "2026-12", "not over"}, {"2026-11-22", "2027-01", "not over"},
		{"2026-11-22", "2026Q4", "not over"}, {"2026-11-22", "2027Q1", "not over"}, {"2026-11-01", "2026-11", "not over"},
		{"2026-12-31", "2026Q4", "not over"}, {"2026-01-05", "2026Q1", "not over"},
		{"2026-11-22", "2021-10", "older"}, {"2026-11-22", "2021Q3", "older"}, {"2026-11-22", "1999-12", "older"},
		{"2026-11-22", "0000-01", "older"},
		{"2026-11-22", "2026-13", "no month"}, {"2026-11-22", "2026-00", "no month"}, {"2026-11-22", "2026Q0", "no quarter"},
		{"2026-11-22", "2026Q5", "no quarter"},
		{"2026-11-22", "30D", "none of"}, {"2026-11-22", "", "none of"}, {"2026-11-22", "2026-1", "none of"}, {"2026-11-22", "2026q3", "none of"},
		{"2026-11-22", " 30d", "none of"}, {"2026-11-22", "2026-10\n", "none of"},
	} {
		if _, err := Parse(c.code, day(t, c.asOf), Intervals(day(t, c.asOf))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q as of %s: %v, want an error with %q", c.code, c.asOf, err, c.want)
		}
	}
}

// TestIntervalsOfAnyDay checks what holds on every day: all intervals are over, there are 60 months and 20 quarters without a
// gap, and every code is found again.
func TestIntervalsOfAnyDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		asOf := Day(rapid.IntRange(9000, 40000).Draw(t, "as of"))
		list := Intervals(asOf)
		if len(list) != 7+60+20 {
			t.Fatalf("%d intervals", len(list))
		}
		for n, i := range list {
			if i.First > i.Last || i.Last >= asOf {
				t.Fatalf("%s from %s to %s as of %s", i.Code, i.First, i.Last, asOf)
			}
			if got, err := Parse(i.Code, asOf, Intervals(asOf)); err != nil || got != n {
				t.Fatalf("%s: %d, %v, want %d", i.Code, got, err, n)
			}
			if later := n + 1; i.Closed && later < len(list) && len(list[later].Code) == len(i.Code) && list[later].Last != i.First-1 && n != 66 {
				t.Fatalf("%s ends on %s, the next begins on %s", list[later].Code, list[later].Last, i.First)
			}
		}
		if next := list[7].Last.AddMonths(1); next < asOf-1 && list[7].Last+31 < asOf {
			t.Fatalf("the latest month as of %s is %s", asOf, list[7].Code)
		}
		if d := Default(list); len(d) != 13 || d[0].Code != "30d" || d[1].Code != list[7].Code || d[12].Code != list[18].Code {
			t.Fatalf("default %v", d)
		}
	})
}

func TestAddMonths(t *testing.T) {
	for _, c := range []struct {
		from string
		n    int
		want string
	}{
		{"2026-03-31", -1, "2026-02-28"}, {"2028-03-31", -1, "2028-02-29"}, {"2028-02-29", -12, "2027-02-28"}, {"2026-01-31", 1, "2026-02-28"},
		{"2026-01-15", -1, "2025-12-15"}, {"2026-12-31", 2, "2027-02-28"}, {"2026-05-31", -24, "2024-05-31"}, {"1969-12-31", 1, "1970-01-31"},
		{"2026-03-30", 0, "2026-03-30"},
	} {
		if got := day(t, c.from).AddMonths(c.n).String(); got != c.want {
			t.Errorf("%s and %d months is %s, want %s", c.from, c.n, got, c.want)
		}
	}
}

// TestDayOf compares with the dates of package time, before 1970 too.
func TestDayOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(-200_000, 200_000).Draw(t, "day")
		want := time.Date(1970, 1, 1+n, 0, 0, 0, 0, time.UTC)
		if d := DayOf(want.Date()); int(d) != n || d.String() != want.Format(time.DateOnly) {
			t.Fatalf("%s is day %d (%s), want %d", want.Format(time.DateOnly), d, d, n)
		}
	})
	if NoDay.String() != "" || slices.Contains([]Day{0}, NoDay) {
		t.Error("no day has a date")
	}
	if _, err := ParseDay("2026-02-30"); err == nil {
		t.Error("30 February is a date")
	}
}

// FuzzParse holds codes to be those of the intervals, and errors to name the code.
func FuzzParse(f *testing.F) {
	for _, code := range []string{"30d", "31-60d", "13-24m", "2026-10", "2026Q3", "2026-11", "2026Q4", "2026Q0", "2026-13", "0000-00",
		"2021-10", "٢٠٢٦-10", "2026-10\n", ""} {
		f.Add(code, int32(20779))
	}
	f.Fuzz(func(t *testing.T, code string, day int32) {
		asOf := Day(day % 100_000)
		n, err := Parse(code, asOf, Intervals(asOf))
		if err != nil {
			if !strings.Contains(err.Error(), code) && !strings.Contains(err.Error(), strconv.Quote(code)) {
				t.Errorf("%q: error %v does not name it", code, err)
			}
			return
		}
		if i := Intervals(asOf)[n]; i.Code != code || i.Last >= asOf || i.First > i.Last {
			t.Errorf("%q as of %s is %+v", code, asOf, i)
		}
	})
}
