package schools

import (
	"fmt"
	"syscall"
	"testing"
	"time"

	"quartier/internal/geo"
	"quartier/schemas/staged"
)

// generated are schools of three sources, half of which has each of them, on a grid of a kilometre, with one catchment for two.
func generated(t testing.TB, schools int) (rows []staged.School, catchments []staged.Catchment) {
	pl := geo.NewPlane(origin)
	for i := range schools {
		x, y := float64(i%300)*900, float64(i/300)*900
		name := fmt.Sprintf("%s %s School", []string{"Lincoln", "Roosevelt", "Cedar", "Maple", "Adams"}[i%5], syllables(i))
		for j, source := range []string{"a", "b", "c"} {
			if j > 0 && (i+j)%2 == 0 {
				continue
			}
			p := pl.Point(x+float64(60*j), y)
			rows = append(rows, staged.School{SourceID: source, SourceKey: fmt.Sprint(source, ":", i), Name: name, Levels: "elementary", Lng: &p[0],
				Lat: &p[1], CountryCode: "US"})
		}
		if i%2 == 0 {
			catchments = append(catchments, area(t, fmt.Sprint("zones:", i), "", name, "elementary", "", x, y))
		}
	}
	return rows, catchments
}

// syllables spell a number.
func syllables(n int) (text string) {
	for ; n > 0; n /= 40 {
		text += string("bdfgklmprstvwxz"[n%15]) + string("aeiou"[n%5]) + string("bcdghklmnprstxyz"[n%16])
	}
	return text
}

// Twice the schools take about twice the processor time, of which other programs take nothing. The times are printed; they decide
// nothing beyond that.
func TestTimeIsLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	var seconds []float64
	for _, n := range []int{10_000, 20_000, 40_000} {
		from, into := databases(t, "a", "b", "c", "zones")
		rows, catchments := generated(t, n)
		stage(t, from, "school", rows...)
		stage(t, from, "catchment", catchments...)
		begun := processorTime(t)
		r := derive(t, from, into, washington{})
		took := processorTime(t) - begun
		seconds = append(seconds, took)
		t.Logf("%d records and %d catchments: %d schools in %.2f s, %.0f rows a second", len(rows), len(catchments), len(r.Schools), took,
			float64(len(rows)+len(catchments))/took)
		if len(r.Schools) != n || r.Catchments != len(catchments) {
			t.Errorf("%d schools of %d, %d catchments of %d: %v", len(r.Schools), n, r.Catchments, len(catchments), countsOf(r.Issues))
		}
	}
	if seconds[2] > 12*seconds[0] {
		t.Errorf("four times the schools take %.1f times the time", seconds[2]/seconds[0])
	}
}

// processorTime is what this process has used, in seconds.
func processorTime(t *testing.T) float64 {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano()).Seconds()
}
