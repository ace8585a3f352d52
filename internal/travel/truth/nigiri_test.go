package truth

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"quartier/internal/testenv"
	"quartier/internal/travel/raptor"
	"quartier/internal/travel/scan"
	"quartier/internal/travel/timetable"
)

// TestNigiri finds the journeys of nigiri's own tests: trips that still run days after their date, and changes on a day.
func TestNigiri(t *testing.T) {
	folder := testenv.NeedData(t, "formats/travel/raptor-nigiri")
	file, err := os.Open(folder + "/journeys.csv")
	require.NoError(t, err)
	defer file.Close()
	for _, want := range readCSV(t, file) {
		f := newFeeds(t, folder+"/"+want["feed"]+".gtfs.zip")
		day := f.Finish().Day(date(t, want["departure"][:10]))
		rules := raptor.Rules{BoardWait: 120, Wait: raptor.HalfHeadway}
		departs := second(t, want["departure"][11:]+":00")
		if departs < rules.BoardWait {
			rules.BoardWait = departs // one would have to be there the day before
		}
		q := raptor.Query{
			Access: []timetable.Leg{{Stop: f.stops[want["from_stop"]]}}, Depart: departs - rules.BoardWait, Window: 1, Rides: 4, Minutes: 18 * 60,
		}
		to := raptor.Target{Legs: []timetable.Leg{{Stop: f.stops[want["to_stop"]]}}, Walk: raptor.NoWalk}
		j, ok := raptor.New(day, rules).JourneyOf(q, to, 0, 0)
		require.True(t, ok, want["test"])
		require.NoError(t, scan.Legal(day, rules, q, to, j, 0))
		var trips []string
		for _, ride := range j.Rides {
			trips = append(trips, fmt.Sprintf("%s@%s", day.Table.TripNames.At(ride.Trip.Trip), ride.Trip.Date))
		}
		require.Equal(t, want["trips"], strings.Join(trips, "|"))
		require.Equal(t, second(t, want["arrival"][11:]+":00"), j.Arrives)
		require.Equal(t, departs, j.Rides[0].Leaves)
	}
}
