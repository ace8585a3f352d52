package explain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quartier/internal/network"
	"quartier/internal/rating"
	"quartier/schemas"
)

// Unknown lines are explained by the values of their own kind, and only those that count are counted.
func TestUnknownLinesByKind(t *testing.T) {
	r, err := Open(village(t))
	must(t, err)
	defer r.Close()
	l := &location{r: r, area: &area{places: map[string][]*place{}}, used: map[[2]string]bool{}}
	var lines []*rating.Line
	add := func(basis, mode string, metres float64) {
		stops := l.area.places["stop"]
		service := rating.Service{Route: fmt.Sprint("line ", len(stops)), Mode: mode, Basis: basis}
		lines = append(lines, &rating.Line{Service: service, Stops: []int{len(stops)}, Trips: []uint32{300}, Signs: []string{""}})
		l.area.places["stop"] = append(stops, &place{way: network.Metres(metres)})
	}
	for i := range 20 {
		add(schemas.StopsBasis, "bus", float64(50*i))
	}
	expect := func(remarks string, constants ...string) {
		t.Helper()
		counted := l.counted(lines, 0)
		var texts []string
		for _, line := range l.assumptions(counted) {
			texts = append(texts, l.text(line))
		}
		if got := strings.Join(texts, "\n"); got != remarks {
			t.Errorf("remarks\n%s\nwant\n%s", got, remarks)
		}
		x := &Explanation{}
		l.addLines(x, counted)
		var got []string
		for _, c := range x.Constants {
			if strings.HasPrefix(c.Path, "transit.without_times.") && c.Path != "transit.without_times.trips_week" {
				got = append(got, c.Symbol+": "+c.Value+" ["+c.Mark+"]")
			}
		}
		if !slices.Equal(got, constants) {
			t.Errorf("constants\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(constants, "\n"))
		}
	}
	bus := "ASSUMED: kinds of lines unknown: capped; bus lines that may be frequent or for pupils, here 16, raise the score to 3 at most\n" +
		"ASSUMED: lines by bus that no source has and stops show: 16; bus stops of a street within 400 m of another are of one line, and the " +
		"nearest 16 lines count"
	busConstants := []string{"bus stops of one unknown line (apart_m), within: 400 m of another [A]",
		"unknown lines by bus that count (lines): the nearest 16 [A]"}
	expect(bus, busConstants...)
	add(schemas.StopsBasis, "rail", 100)
	train := "ASSUMED: lines by rail that no source has and stops show: 1; train stations within 30000 m of another are of one line, and " +
		"the nearest 16 lines count"
	trainConstants := []string{"train stations of one unknown line (apart_m), within: 30000 m of another [A]",
		"unknown lines by rail that count (lines): the nearest 16 [A]"}
	expect(bus+"\n"+train, append(busConstants, trainConstants...)...)
	lines = lines[20:]
	expect(train, trainConstants...)
	add(schemas.LineBasis, "bus", 100)
	expect("ASSUMED: of 1 lines no timetable is known; each counts once, at its nearest stop, with the departures of its mode and, of a "+
		"bus, its kind\n"+
		"ASSUMED: kinds of lines unknown: capped; bus lines that may be frequent or for pupils, here 1, raise the score to 3 at most\n"+train,
		append([]string{"a stop beside the course of a line, within: 25 m [C]"}, trainConstants...)...)
}
