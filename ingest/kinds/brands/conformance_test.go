package brands

import (
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	shared := testenv.Data("us-national/brands")
	sourcetest.Run(t, Kind{},
		sourcetest.Case{
			Name: "cafés", Path: shared + "/brands_amenity_cafe.json", Read: 506,
			Issues: map[string]int64{"not traded in the countries asked for": 375, "skipped: trades only in a circle or an outline of the index's own": 3, "repaired: circle or outline of the index's own left out": 1},
			Rows: map[string]string{
				"SELECT brand_name, wikidata, names, countries, tags FROM brand_rule WHERE brand_id = 'second_cup'": `Second Cup|Q862180|["Second Cup"]|[]|{"cuisine":"coffee_shop","takeaway":"yes"}`,
			},
		},
		sourcetest.Case{
			Name: "a folder", Path: shared, Read: 6703,
			Issues: map[string]int64{
				"not traded in the countries asked for":                    4852,
				"trades only in a circle or an outline of the index's own": 77,
				"repaired: circle or outline of the index's own left out":           9,
			},
			Rows: map[string]string{
				"SELECT count(*) FROM brand_rule": "1796",
				"SELECT key, value, wikidata, countries FROM brand_rule WHERE brand_id = '7_eleven' ORDER BY 1, 2": "amenity|fuel|Q259340|[]\nshop|convenience|Q259340|[]\nshop|supermarket|Q259340|[]",
			},
		},
	)
}
