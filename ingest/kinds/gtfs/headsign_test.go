package gtfs

import "testing"

// Where a line goes is the sign of most trips at the stop, else the name of their last stop.
func TestHeadsigns(t *testing.T) {
	out, err := read(t, folder(t, with(tripsFile,
		"trip_id,route_id,service_id,trip_headsign,direction_id\n1,R,W,Harbour,0\n2,R,W,Harbour,0\n3,R,W,Depot,0\n4,R,W,,1\n",
		stopTimesFile, "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n"+
			"1,A,1,08:00:00,08:00:00\n1,B,2,08:10:00,08:10:00\n2,A,1,09:00:00,09:00:00\n2,B,2,09:10:00,09:10:00\n"+
			"3,A,1,10:00:00,10:00:00\n3,B,2,10:10:00,10:10:00\n4,B,1,11:00:00,11:00:00\n4,A,2,11:10:00,11:10:00\n")), "")
	if err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, stop := range out.Stops {
		if stop.SourceKey == out.Services[0].StopKey {
			last = stop.Name
		}
	}
	for _, v := range out.Services {
		if want := []string{"Harbour", last}[v.Direction]; want == "" || v.Headsign != want {
			t.Errorf("%s direction %d goes to %q, want %q", v.StopKey, v.Direction, v.Headsign, want)
		}
	}
	if len(out.Services) != 4 {
		t.Errorf("services %+v", out.Services)
	}
}
