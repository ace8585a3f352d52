package placetags

import (
	"strings"
	"testing"

	"quartier/ingest/formats/element"
)

// tags returns the tags of "key=value; key=value".
func tags(text string) element.Tags {
	var table element.Table
	for _, tag := range strings.Split(text, "; ") {
		if key, value, ok := strings.Cut(tag, "="); ok {
			table.Add(key, value)
		}
	}
	return table.TagsFrom(0)
}

func TestClassify(t *testing.T) {
	rules, err := NewRules()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tags string
		want Status
	}{
		{"", None},
		{"name=Elm Street; highway=residential", None},
		{"natural=tree", None},
		{"railway=abandoned", None},
		{"disused:amenity=pub", None},
		{"amenity=cafe", Place},
		{"amenity=bench", Furniture},
		{"amenity=bench; tourism=artwork", Place},
		{"leisure=swimming_pool", Furniture},
		{"leisure=swimming_pool; name=Lido", Place},
		{"name=Lido; leisure=swimming_pool", Place},
		{"historic=building", Furniture},
		{"tourism=information", Furniture},
		{"tourism=information; information=office", Place},
		{"shop=vacant", NotInUse},
		{"shop=vacant; amenity=cafe", Place},
		{"amenity=pub; disused=yes", NotInUse},
		{"amenity=pub; disused=no", Place},
		{"highway=bus_stop", Place},
		{"landuse=recreation_ground", Place},
		{"landuse=farmland", None},
		{"amenity=", None},
		{"shop=bakery", Place},
		{"shop=vacant; office=company", Place},
		{"railway=station", Place},
		{"railway=rail", None},
	} {
		if got := rules.Classify(tags(c.tags)); got != c.want {
			t.Errorf("%s: %d, want %d", c.tags, got, c.want)
		}
	}
}

func TestReason(t *testing.T) {
	for status, want := range map[Status]string{
		None: "not_a_place", Furniture: "street_furniture", NotInUse: "not_in_use", Place: "",
	} {
		if got := status.Reason().Code; got != want {
			t.Errorf("%d: %q, want %q", status, got, want)
		}
	}
}

func TestRow(t *testing.T) {
	row := Row("osm:way:1", map[string]string{"name": "Bibliothèque", "name:en": "Library", "addr:province": "Québec", "addr:country": "ca"})
	if row.Key != "osm:way:1" || row.Scheme != "osm" || row.Name != "Bibliothèque" || row.NameFR != "" || row.StateCode != "QC" ||
		row.CountryCode != "CA" {
		t.Errorf("row %+v", row)
	}
	row = Row("osm:way:1", map[string]string{"name:en": "Library", "name:fr": "Bibliothèque", "addr:state": "US-wa", "contact:phone": "1",
		"url": " u "})
	if row.Name != "Library" || row.NameFR != "Bibliothèque" || row.StateCode != "WA" || row.Phone != "1" || row.URL != "u" {
		t.Errorf("row %+v", row)
	}
	row = Row("osm:way:1", map[string]string{"name": "Moulin", "name:fr": "Moulin", "addr:state": "wa", "addr:place": "Hill"})
	if row.Name != "Moulin" || row.NameFR != "" || row.StateCode != "WA" || row.Street != "Hill" {
		t.Errorf("row %+v", row)
	}
}
