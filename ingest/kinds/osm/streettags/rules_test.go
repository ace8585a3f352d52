package streettags

import (
	"fmt"
	"strings"
	"testing"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas"
)

// tagged makes tags of "key=value" texts parted by commas.
func tagged(list string) element.Tags {
	var table element.Table
	for _, pair := range strings.Split(list, ", ") {
		if key, value, ok := strings.Cut(pair, "="); ok {
			table.Add(key, value)
		}
	}
	return table.TagsFrom(0)
}

func rules(tb testing.TB) *Rules {
	r, err := NewRules()
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// text writes a row as "class who-may-move car; what else is known".
func text(s source.Street) string {
	who := "-"
	switch {
	case s.Foot && s.Bicycle:
		who = "foot+bicycle"
	case s.Foot:
		who = "foot"
	case s.Bicycle:
		who = "bicycle"
	}
	var more []string
	add := func(present bool, format string, value any) {
		if present {
			more = append(more, fmt.Sprintf(format, value))
		}
	}
	known := func(name string, value *bool) {
		if value != nil {
			more = append(more, fmt.Sprintf("%s=%t", name, *value))
		}
	}
	add(s.Name != "", "%s", s.Name)
	add(s.NameFR != "", "fr:%s", s.NameFR)
	add(s.Lanes != 0, "%d lanes", s.Lanes)
	add(s.SpeedKMH != 0, "%.4g km/h", s.SpeedKMH)
	known("sidewalk", s.Sidewalk)
	add(s.Cycleway != "", "cycle:%s", s.Cycleway)
	known("parking", s.Parking)
	add(s.Bridge, "%s", "bridge")
	add(s.Tunnel, "%s", "tunnel")
	return strings.TrimSpace(s.Class + " " + who + " " + s.Car + "; " + strings.Join(more, ", "))
}

func TestRows(t *testing.T) {
	r := rules(t)
	for _, c := range []struct{ tags, want string }{
		// classes and what one may do on them where nothing is said
		{"highway=motorway", "motorway - forward;"},
		{"highway=motorway_link", "motorway_link - both;"},
		{"highway=trunk", "trunk foot+bicycle both;"},
		{"highway=primary", "primary foot+bicycle both;"},
		{"highway=residential", "residential foot+bicycle both;"},
		{"highway=road", "unclassified foot+bicycle both;"},
		{"highway=living_street", "living_street foot+bicycle both;"},
		{"highway=service", "service foot+bicycle both;"},
		{"highway=service, service=driveway", "driveway foot+bicycle both;"},
		{"highway=service, service=parking_aisle", "parking_aisle foot+bicycle both;"},
		{"highway=service, service=alley", "alley foot+bicycle both;"},
		{"highway=service, service=no_such", "service foot+bicycle both;"},
		{"highway=busway", "service - no;"},
		{"highway=track", "track foot+bicycle both;"},
		{"highway=pedestrian", "pedestrian foot no;"},
		{"highway=footway", "footway foot no;"},
		{"highway=footway, footway=sidewalk", "sidewalk foot no;"},
		{"highway=footway, footway=crossing", "crossing foot no;"},
		{"highway=path, footway=sidewalk", "sidewalk foot no;"},
		{"highway=path", "path foot+bicycle no;"},
		{"highway=bridleway", "bridleway foot no;"},
		{"highway=cycleway", "cycleway foot+bicycle no; cycle:track"},
		{"highway=steps", "steps foot no;"},
		{"highway=corridor", "footway foot no;"},

		// who may: the narrower tag holds, the wider ones only take away
		{"highway=motorway, foot=yes", "motorway foot forward;"},
		{"highway=motorway, access=yes", "motorway - forward;"},
		{"highway=residential, foot=no", "residential bicycle both;"},
		{"highway=residential, access=no", "residential - no;"},
		{"highway=residential, access=no, foot=yes", "residential foot no;"},
		{"highway=residential, access=private", "residential foot+bicycle both;"},
		{"highway=residential, access=destination", "residential foot+bicycle both;"},
		{"highway=service, access=private", "service - no;"},
		{"highway=service, access=customers", "service foot+bicycle both;"},
		{"highway=service, service=driveway, access=private, foot=permissive", "driveway foot no;"},
		{"highway=footway, access=private", "footway - no;"},
		{"highway=footway, access=yes", "footway foot no;"},
		{"highway=footway, bicycle=yes", "footway foot+bicycle no;"},
		{"highway=footway, bicycle=designated", "footway foot+bicycle no; cycle:track"},
		{"highway=footway, motor_vehicle=destination", "footway foot both;"},
		{"highway=path, bicycle=no", "path foot no;"},
		{"highway=path, bicycle=dismount", "path foot no;"},
		{"highway=cycleway, foot=no", "cycleway bicycle no; cycle:track"},
		{"highway=cycleway, foot=use_sidepath", "cycleway bicycle no; cycle:track"},
		{"highway=track, vehicle=no", "track foot no;"},
		{"highway=track, motor_vehicle=agricultural", "track foot+bicycle no;"},
		{"highway=unclassified, motor_vehicle=no", "unclassified foot+bicycle no;"},
		{"highway=unclassified, motor_vehicle=no, motorcar=yes", "unclassified foot+bicycle both;"},
		{"highway=residential, vehicle=private, access=yes", "residential foot+bicycle both;"},
		{"highway=unclassified, vehicle=permissive, access=no", "unclassified bicycle both;"},
		{"highway=residential, access=unknown", "residential foot+bicycle both;"},
		{"highway=service, bus=yes, access=psv", "service - no;"},

		// trunk roads
		{"highway=trunk, motorroad=yes", "trunk - both;"},
		{"highway=trunk, maxspeed=55 mph", "trunk foot+bicycle both; 88.51 km/h"},
		{"highway=trunk, maxspeed=65 mph", "trunk bicycle both; 104.6 km/h"},
		{"highway=trunk, maxspeed=65 mph, foot=yes", "trunk foot+bicycle both; 104.6 km/h"},
		{"highway=trunk, maxspeed=65 mph, sidewalk=right", "trunk foot+bicycle both; 104.6 km/h, sidewalk=true"},
		{"highway=trunk, maxspeed=65 mph, sidewalk=right, foot=no", "trunk bicycle both; 104.6 km/h, sidewalk=true"},
		{"highway=trunk_link, maxspeed=100", "trunk_link bicycle both; 100 km/h"},

		// one-way
		{"highway=residential, oneway=yes", "residential foot+bicycle forward;"},
		{"highway=residential, oneway=-1", "residential foot+bicycle backward;"},
		{"highway=residential, oneway=reversible", "residential foot+bicycle both;"},
		{"highway=motorway, oneway=no", "motorway - both;"},
		{"highway=motorway, oneway=-1", "motorway - backward;"},
		{"highway=tertiary, junction=roundabout", "tertiary foot+bicycle forward;"},
		{"highway=tertiary, junction=roundabout, oneway=no", "tertiary foot+bicycle both;"},
		{"highway=tertiary, oneway=yes, oneway:motor_vehicle=no", "tertiary foot+bicycle both;"},
		{"highway=footway, oneway=yes", "footway foot no;"},

		// lanes and limits
		{"highway=primary, lanes=4, maxspeed=50", "primary foot+bicycle both; 4 lanes, 50 km/h"},
		{"highway=primary, lanes=1.5", "primary foot+bicycle both; 2 lanes"},
		{"highway=primary, lanes=3;2", "primary foot+bicycle both; 3 lanes"},
		{"highway=primary, lanes:forward=2, lanes:backward=1", "primary foot+bicycle both; 3 lanes"},
		{"highway=primary, lanes:forward=2", "primary foot+bicycle both;"},
		{"highway=primary, maxspeed=30 mph", "primary foot+bicycle both; 48.28 km/h"},
		{"highway=primary, maxspeed=30mph", "primary foot+bicycle both; 48.28 km/h"},
		{"highway=primary, maxspeed=60 km/h", "primary foot+bicycle both; 60 km/h"},
		{"highway=primary, maxspeed=35 mph;40 mph", "primary foot+bicycle both; 56.33 km/h"},
		{"highway=primary, maxspeed=none", "primary foot+bicycle both;"},
		{"highway=primary, maxspeed=CA-ON:urban", "primary foot+bicycle both;"},
		{"highway=primary, maxspeed:forward=50, maxspeed:backward=60", "primary foot+bicycle both; 60 km/h"},

		// sidewalks, cycle lanes, parking
		{"highway=primary, sidewalk=both", "primary foot+bicycle both; sidewalk=true"},
		{"highway=primary, sidewalk=none", "primary foot+bicycle both; sidewalk=false"},
		{"highway=primary, sidewalk=separate", "primary foot+bicycle both; sidewalk=true"},
		{"highway=primary, sidewalk:left=no, sidewalk:right=yes", "primary foot+bicycle both; sidewalk=true"},
		{"highway=primary, sidewalk:both=no", "primary foot+bicycle both; sidewalk=false"},
		{"highway=primary, footway=both", "primary foot+bicycle both; sidewalk=true"},
		{"highway=primary, sidewalk=perhaps", "primary foot+bicycle both;"},
		{"highway=path, sidewalk=both", "path foot+bicycle no;"},
		{"highway=primary, cycleway=lane", "primary foot+bicycle both; cycle:lane"},
		{"highway=primary, cycleway=opposite_track", "primary foot+bicycle both; cycle:track"},
		{"highway=primary, cycleway:right=shared_lane, cycleway:left=lane", "primary foot+bicycle both; cycle:lane"},
		{"highway=primary, cycleway:both=share_busway", "primary foot+bicycle both; cycle:shared"},
		{"highway=primary, cycleway=separate", "primary foot+bicycle both;"},
		{"highway=primary, cycleway=no", "primary foot+bicycle both;"},
		{"highway=primary, bicycle=designated", "primary foot+bicycle both;"},
		{"highway=residential, bicycle_road=yes", "residential foot+bicycle both; cycle:shared"},
		{"highway=residential, parking:lane:both=parallel", "residential foot+bicycle both; parking=true"},
		{"highway=residential, parking:lane:left=no_stopping, parking:lane:right=inline", "residential foot+bicycle both; parking=true"},
		{"highway=residential, parking:both=no", "residential foot+bicycle both; parking=false"},
		{"highway=residential, parking:left=street_side", "residential foot+bicycle both; parking=true"},

		// over and under
		{"highway=residential, bridge=yes", "residential foot+bicycle both; bridge"},
		{"highway=residential, bridge=no", "residential foot+bicycle both;"},
		{"highway=footway, bridge=boardwalk", "footway foot no; bridge"},
		{"highway=residential, tunnel=yes", "residential foot+bicycle both; tunnel"},
		{"highway=residential, tunnel=culvert", "residential foot+bicycle both;"},
		{"highway=footway, tunnel=building_passage, covered=yes", "footway foot no;"},

		// names
		{"highway=residential, name=Main Street", "residential foot+bicycle both; Main Street"},
		{"highway=residential, name=Bank Street, name:fr=rue Bank", "residential foot+bicycle both; Bank Street, fr:rue Bank"},
		{"highway=residential, name=Rue X, name:fr=Rue X, name:en=X Street", "residential foot+bicycle both; Rue X"},
		{"highway=residential, name:en=X Street, name:fr=Rue X", "residential foot+bicycle both; X Street, fr:Rue X"},
		{"highway=residential, name:fr=Rue X", "residential foot+bicycle both; Rue X"},
	} {
		var row source.Street
		status, repairs := r.Row(&row, tagged(c.tags), false)
		if got := text(row); status != Street || repairs != nil || got != c.want {
			t.Errorf("%s:\n got %s (status %d, %v)\nwant %s", c.tags, got, status, repairs, c.want)
		}
		if r.Classify(tagged(c.tags)) != status {
			t.Errorf("%s: Classify and Row differ", c.tags)
		}
	}
}

func TestSquares(t *testing.T) {
	r := rules(t)
	for _, c := range []struct {
		tags   string
		closed bool
		want   string
	}{
		{"highway=pedestrian, area=yes", true, "pedestrian foot no;"},
		{"highway=footway, area=yes", true, "pedestrian foot no;"},
		{"highway=service, area=yes, access=private", true, "pedestrian - no;"},
		{"highway=service, area=yes", true, "pedestrian foot no;"},
		{"highway=footway, area=no", true, "footway foot no;"},
		{"highway=footway, area=yes", false, "footway foot no;"},
		{"highway=residential", true, "residential foot+bicycle both;"},
	} {
		var row source.Street
		if r.Row(&row, tagged(c.tags), c.closed); text(row) != c.want {
			t.Errorf("%s: got %s, want %s", c.tags, text(row), c.want)
		}
	}
}

func TestStatus(t *testing.T) {
	r := rules(t)
	for list, want := range map[string]Status{
		"highway=residential":                      Street,
		"highway=construction, name=Main Street":   NotInUse,
		"highway=proposed":                         NotInUse,
		"highway=abandoned":                        NotInUse,
		"highway=razed":                            NotInUse,
		"highway=residential, abandoned=yes":       NotInUse,
		"highway=residential, construction=minor":  Street,
		"highway=platform":                         None,
		"highway=bus_stop":                         None,
		"highway=raceway":                          None,
		"route=ferry":                              None,
		"route=ferry, highway=service":             None,
		"railway=rail":                             None,
		"highway=":                                 None,
		"highway=yes":                              Unknown,
		"highway=No_such":                          Unknown,
		"name=highway, note=highway=residential=x": None,
	} {
		if got := r.Classify(tagged(list)); got != want {
			t.Errorf("%s: %d, want %d", list, got, want)
		}
		var row source.Street
		if status, _ := r.Row(&row, tagged(list), false); status != want || (row.Class != "") != (want == Street) {
			t.Errorf("%s: a row of class %q with status %d", list, row.Class, status)
		}
	}
}

func TestInvalidTagsAreRemoved(t *testing.T) {
	const lanes, speed = "invalid_lanes_removed ", "invalid_speed_limit_removed "
	r := rules(t)
	for list, want := range map[string]string{
		"lanes=r":                       lanes,
		"lanes=0":                       lanes,
		"lanes=-2":                      lanes,
		"lanes=NaN":                     lanes,
		"lanes=1e9":                     lanes,
		"maxspeed=fast":                 speed,
		"maxspeed=-30":                  speed,
		"maxspeed=0":                    speed,
		"maxspeed=999 mph":              speed,
		"maxspeed=30 furlongs":          speed,
		"maxspeed=NaN":                  speed,
		"maxspeed=mph":                  speed,
		"maxspeed:forward=x, lanes=x":   lanes + speed,
		"maxspeed=signals, lanes=2;x":   "",
		"maxspeed= 25 MPH , lanes= 2  ": "",
	} {
		var row source.Street
		_, repairs := r.Row(&row, tagged("highway=primary, "+list), false)
		got := ""
		for _, why := range repairs {
			got += why.Code + " "
		}
		if got != want {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
		if strings.Contains(got, lanes) && row.Lanes != 0 || strings.Contains(got, speed) && row.SpeedKMH != 0 {
			t.Errorf("%s: %d lanes, %v km/h", list, row.Lanes, row.SpeedKMH)
		}
	}
}

// FuzzRow checks that the row of any tags can be staged.
func FuzzRow(f *testing.F) {
	f.Add("highway=primary, maxspeed=30 mph, lanes=2, access=private, cycleway=lane", true)
	f.Add("highway=footway, area=yes, name:fr=x", true)
	r := rules(f)
	classes := map[string]bool{}
	for _, class := range schemas.StreetClasses {
		classes[class] = true
	}
	f.Fuzz(func(t *testing.T, list string, closed bool) {
		var row source.Street
		if status, _ := r.Row(&row, tagged(list), closed); status != Street {
			return
		}
		if !classes[row.Class] || row.Lanes < 0 || !(row.SpeedKMH >= 0 && row.SpeedKMH <= 250) {
			t.Errorf("%q: %+v", list, row)
		}
		switch row.Car {
		case "no", "both", "forward", "backward":
		default:
			t.Errorf("%q: direction of cars %q", list, row.Car)
		}
	})
}
