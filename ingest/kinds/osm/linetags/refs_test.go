package linetags

import (
	"strings"
	"testing"

	"quartier/ingest/formats/element"
)

func TestRefLines(t *testing.T) {
	for text, want := range map[string]string{
		"highway=bus_stop":             "",
		"highway=bus_stop route_ref=7": "bus:7",
		"highway=bus_stop route_ref=7;_12,N75;;7 route_ref:OC=12;n75;X":           "bus:12 bus:7 bus:n75 bus:x",
		"public_transport=platform bus=yes route_ref=Red_Line":                    "bus:red line",
		"public_transport=platform tram=yes route_ref:TTC=501":                    "tram:501",
		"public_transport=platform tram=yes bus=yes route_ref=501":                "bus:501",
		"railway=tram_stop route_ref=501":                                         "tram:501",
		"highway=bus_stop trolleybus=yes route_ref=4":                             "trolleybus:4",
		"railway=station public_transport=station route_ref=Orange":               "",
		"amenity=restaurant route_ref=7":                                          "",
		"highway=bus_stop disused=yes route_ref=7":                                "",
		"highway=bus_stop route_ref=none route_refs=7":                            "",
		"amenity=bus_station route_ref=7":                                         "bus:7",
		"highway=bus_stop route_ref=" + strings.Repeat("1;", 3) + " route_ref:=2": "bus:1 bus:2",
	} {
		tags := map[string]string{}
		for pair := range strings.FieldsSeq(text) {
			key, value, _ := strings.Cut(pair, "=")
			tags[key] = strings.ReplaceAll(value, "_", " ")
			if key != "route_ref" && !strings.HasPrefix(key, "route_ref:") {
				tags[key] = value
			}
		}
		var got []string
		for _, l := range RefLines(element.TagsOf(tags)) {
			got = append(got, strings.TrimPrefix(l.Key, "osm:route_ref:"))
			if l.Name == "" || l.Mode == "" {
				t.Errorf("%s: %+v", text, l)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func FuzzRefLines(f *testing.F) {
	f.Add("7;12", "OC")
	f.Fuzz(func(t *testing.T, list, network string) {
		for _, l := range RefLines(element.TagsOf(map[string]string{"highway": "bus_stop", "route_ref": list, "route_ref:" + network: list})) {
			if l.Name == "" || l.Name != strings.TrimSpace(l.Name) || strings.ContainsAny(l.Name, ";,") {
				t.Errorf("%q: %+v", list, l)
			}
		}
	})
}
