package gtfs

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkTimes reads a feed of 30,000 trips with 1,050,000 times at stops.
func BenchmarkTimes(b *testing.B) {
	var stops, trips, times strings.Builder
	stops.WriteString("stop_id,stop_name,stop_lat,stop_lon\n")
	for i := range 5000 {
		fmt.Fprintf(&stops, "%d,Stop %d,%.5f,%.5f\n", i, i, 45+float64(i%100)/500, -75+float64(i/100)/500)
	}
	trips.WriteString("route_id,service_id,trip_id,direction_id\n")
	times.WriteString(
		"trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type,drop_off_type,shape_dist_traveled,timepoint\n")
	for i := range 30_000 {
		fmt.Fprintf(&trips, "R,W,T%d,%d\n", i, i%2)
		for k := range 35 {
			fmt.Fprintf(&times, "T%d,%02d:%02d:00,%02d:%02d:00,%d,%d,Somewhere,0,0,%.4f,0\n", i, 5+i%20, k, 5+i%20, k, (i%140*35+k)%5000, k+1,
				312.5*float64(k))
		}
	}
	path := folder(b, with(stopsFile, stops.String(), tripsFile, trips.String(), stopTimesFile, times.String()))
	b.ReportAllocs()
	for b.Loop() {
		if out, err := read(b, path, ""); err != nil || len(out.Services) == 0 {
			b.Fatal(err)
		}
	}
}
