package gtfs

import (
	"strings"
	"testing"
)

// totals makes a dailyTrips that begins on a date, of weeks with so many trips a day.
func totals(t *testing.T, first string, perDay ...int64) *dailyTrips {
	t.Helper()
	d, err := parseWeek(first)
	if err != nil {
		t.Fatal(err)
	}
	return &dailyTrips{d, perDay}
}

func weeks(perDay ...int64) (days []int64) {
	for _, n := range perDay {
		for range 7 {
			days = append(days, n)
		}
	}
	return days
}

func TestRepresentativeWeek(t *testing.T) {
	const monday, thursday = "2021-05-03", "2021-05-06"
	for _, c := range []struct {
		name  string
		h     *dailyTrips
		start string
	}{
		{"one week", totals(t, monday, weeks(5)...), "2021-05-03"},
		{"two weeks: the lower", totals(t, monday, weeks(9, 5)...), "2021-05-10"},
		{"three weeks: the middle one", totals(t, monday, weeks(9, 5, 7)...), "2021-05-17"},
		{"equal weeks: the first", totals(t, monday, weeks(5, 5, 5, 5, 5, 5)...), "2021-05-03"},
		{"a holiday week is not taken", totals(t, monday, weeks(3, 9, 9, 9)...), "2021-05-10"},
		{"nor one where two calendars overlap", totals(t, monday, weeks(9, 18, 8, 8, 8)...), "2021-05-17"},
		{"the best four, not the summer", totals(t, monday, weeks(3, 3, 3, 3, 7, 7, 6, 7, 3, 3)...), "2021-05-31"},
		{"whole weeks alone", totals(t, thursday, append([]int64{50, 50, 50, 50}, weeks(5, 6, 7, 50)[:27]...)...), "2021-05-17"},
		{"ten days without a whole week: the busiest seven", totals(t, "2021-05-04", 1, 1, 1, 9, 9, 1, 1, 1, 1, 9, 9), "2021-05-07"},
		{"weeks without service", totals(t, monday, weeks(9, 0, 0, 8)...), "2021-05-24"},
		{"no service in whole weeks", totals(t, thursday, append(append([]int64{5, 5, 5, 5}, weeks(0, 0)...), 5, 5, 5)...), "2021-05-06"},
		{"three days", totals(t, thursday, 4, 5, 6), "2021-05-06"},
	} {
		if got := c.h.representative().String(); got != c.start {
			t.Errorf("%s: %s, want %s", c.name, got, c.start)
		}
	}
}

func TestDays(t *testing.T) {
	d, ok := parseDay([]byte("20210503"))
	if !ok || d.String() != "2021-05-03" || d.weekday() != 0 {
		t.Errorf("%v %v %d", d, ok, d.weekday())
	}
	for _, text := range []string{"", "2021050", "20210532", "2021-05-03", "20211303", "abcdefgh"} {
		if _, ok := parseDay([]byte(text)); ok {
			t.Errorf("%q is taken for a day", text)
		}
	}
	if d, ok := parseDay([]byte("29991231")); !ok || d != latest {
		t.Errorf("a far end is %v %v", d, ok)
	}
}

func TestTimesOfDay(t *testing.T) {
	for text, want := range map[string]int{"7:05:00": 7*3600 + 300, "00:00:00": 0, "25:35:01": 25*3600 + 35*60 + 1} {
		if got, ok := seconds([]byte(text)); !ok || got != want {
			t.Errorf("%s: %d %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range strings.Fields("7:05 7:60:00 7:5:60 :05:00 7:05:0 99:99:99 -1:00:00 7.05.00 100:00:00") {
		if got, ok := seconds([]byte(text)); ok {
			t.Errorf("%q is taken for %d seconds", text, got)
		}
	}
}

func TestModes(t *testing.T) {
	for text, want := range map[string]string{
		"0": "tram", "1": "subway", "2": "rail", "3": "bus", "4": "ferry", "5": "cable_car", "6": "gondola", "7": "funicular", "11": "trolleybus",
		"12":  "monorail",
		"100": "rail", "109": "rail", "200": "bus", "300": "rail", "400": "light_rail", "401": "subway", "402": "subway", "403": "light_rail",
		"405": "monorail",
		"500": "subway", "600": "subway", "700": "bus", "715": "bus", "800": "trolleybus", "900": "tram", "1000": "ferry", "1200": "ferry",
		"1300": "gondola",
		"1400": "funicular", "1700": "other", "1701": "cable_car", "1100": "", "1500": "", "1501": "", "1600": "",
	} {
		if got, known := modeOf([]byte(text)); got != want || !known {
			t.Errorf("%s: %q %v, want %q", text, got, known, want)
		}
	}
	for _, text := range []string{"", "8", "13", "99", "1800", "40100", "-1", "bus"} {
		if got, known := modeOf([]byte(text)); known {
			t.Errorf("%q is taken for %q", text, got)
		}
	}
}
