package brands

import (
	"testing"

	"quartier/ingest/sourcetest"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	shared := testenv.Data("us-national/brands")
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "cafés", Path: shared + "/brands_amenity_cafe.json", Read: 506,
			Issues: map[string]int64{"excluded_by_option: countries": 375, "custom_location_only": 3, "custom_location_removed": 1},
			Rows: map[string]string{
				"SELECT brand_name, wikidata, names, countries, tags FROM brand_rule WHERE brand_id = 'second_cup'": `Second Cup|Q862180|["Second ` +
					`Cup"]|[]|{"cuisine":"coffee_shop","takeaway":"yes"}`,
			},
		},
		sourcetest.Case{
			Name: "a folder", Path: shared, Read: 6703,
			Issues: map[string]int64{
				"excluded_by_option: countries": 4852,
				"custom_location_only":          77,
				"custom_location_removed":       9,
			},
			Rows: map[string]string{
				"SELECT count(*) FROM brand_rule": "1796",
				"SELECT key, value, wikidata, countries FROM brand_rule WHERE brand_id = '7_eleven' ORDER BY 1, 2": "amenity|fuel|Q259340|[]\n" +
					"shop|convenience|Q259340|[]\nshop|supermarket|Q259340|[]",
			},
		},
	)
}
