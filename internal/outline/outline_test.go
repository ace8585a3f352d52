package outline

import (
	"math"
	"slices"
	"testing"

	"github.com/paulmach/orb"
	"pgregory.net/rapid"

	"quartier/internal/geo"
	"quartier/schemas"
)

// towns are places of which the state is known, most of them on a border or a coast. Places abroad have no code.
var towns = []struct {
	code, name string
	lat, lng   float64
}{
	{"US_MI", "Detroit riverfront", 42.3285, -83.04},
	{"CA_ON", "Windsor", 42.3173, -83.0353},
	{"CA_ON", "Windsor riverfront", 42.3205, -83.04},
	{"US_NY", "Niagara Falls NY", 43.0945, -79.0448},
	{"US_NY", "Prospect Point", 43.0865, -79.069},
	{"CA_ON", "Niagara Falls ON", 43.0896, -79.0849},
	{"CA_ON", "Clifton Hill", 43.0905, -79.074},
	{"US_NY", "Buffalo", 42.8864, -78.8784},
	{"CA_ON", "Fort Erie", 42.9018, -78.925},
	{"US_MI", "Sault MI", 46.4953, -84.3453},
	{"CA_ON", "Sault ON", 46.5136, -84.3358},
	{"CA_ON", "Sarnia ON", 42.9745, -82.4066},
	{"US_MI", "Port Huron", 42.9709, -82.4249},
	{"US_VT", "Haskell South", 45.003, -72.0979},
	{"CA_QC", "Stanstead", 45.0167, -72.097},
	{"US_VT", "Newport VT", 44.9365, -72.2051},
	{"CA_BC", "Tsawwassen", 49.014, -123.084},
	{"US_WA", "Point Roberts", 48.9855, -123.078},
	{"US_WA", "Blaine", 48.9937, -122.7471},
	{"CA_BC", "White Rock", 49.0253, -122.8029},
	{"CA_BC", "Surrey", 49.1913, -122.849},
	{"CA_BC", "Vancouver", 49.2827, -123.1207},
	{"US_ME", "Calais", 45.1889, -67.2786},
	{"CA_NB", "St Stephen", 45.1941, -67.275},
	{"US_ME", "Houlton", 46.1261, -67.8404},
	{"CA_NB", "Woodstock", 46.152, -67.576},
	{"US_ME", "Madawaska", 47.355, -68.3317},
	{"CA_NB", "Edmundston", 47.3737, -68.3251},
	{"US_ME", "Eastport", 44.9062, -66.99},
	{"CA_NB", "Campobello", 44.885, -66.95},
	{"US_NY", "Massena", 44.9281, -74.8919},
	{"CA_ON", "Cornwall", 45.0213, -74.7303},
	{"US_NY", "Ogdensburg", 44.6942, -75.4863},
	{"CA_ON", "Prescott", 44.7103, -75.5187},
	{"CA_ON", "Kingston", 44.2312, -76.486},
	{"US_NY", "Rouses Point", 44.9939, -73.3649},
	{"CA_QC", "Lacolle", 45.083, -73.372},
	{"US_MN", "International Falls", 48.6011, -93.4111},
	{"CA_ON", "Fort Frances", 48.6098, -93.393},
	{"US_MN", "Angle Inlet", 49.3453, -95.07},
	{"US_ND", "Pembina", 48.9664, -97.2437},
	{"CA_MB", "Emerson", 49.0058, -97.2117},
	{"US_MT", "Sweetgrass", 48.9969, -111.96},
	{"CA_AB", "Coutts", 49.002, -111.96},
	{"US_WA", "Sumas", 48.999, -122.265},
	{"CA_BC", "Abbotsford", 49.0504, -122.3045},
	{"CA_BC", "Huntingdon", 49.006, -122.265},
	{"US_AK", "Skagway", 59.4583, -135.3139},
	{"US_AK", "Hyder", 55.9169, -130.0247},
	{"CA_BC", "Stewart", 55.94, -129.99},
	{"CA_YT", "Beaver Creek", 62.3832, -140.875},
	{"US_WA", "Friday Harbor", 48.5343, -123.017},
	{"CA_BC", "Victoria", 48.4284, -123.3656},
	{"US_CA", "San Ysidro", 32.55, -117.045},
	{"", "Tijuana", 32.5149, -117.0382},
	{"", "Rosarito", 32.34, -117.06},
	{"US_CA", "Calexico", 32.6789, -115.4989},
	{"", "Mexicali", 32.6245, -115.4523},
	{"US_AZ", "Nogales", 31.3404, -110.9343},
	{"", "Nogales Son", 31.3, -110.94},
	{"US_TX", "El Paso", 31.7619, -106.485},
	{"", "Juarez", 31.72, -106.46},
	{"US_TX", "Laredo", 27.5064, -99.5075},
	{"", "Nuevo Laredo", 27.4779, -99.5496},
	{"US_TX", "Brownsville", 25.9017, -97.4975},
	{"", "Matamoros", 25.869, -97.5027},
	{"US_TX", "South Padre", 26.1118, -97.1681},
	{"US_DC", "Washington", 38.9072, -77.0369},
	{"US_VA", "Arlington", 38.8816, -77.091},
	{"US_NY", "Manhattan", 40.758, -73.9855},
	{"US_NJ", "Hoboken", 40.744, -74.0324},
	{"US_NJ", "Jersey City", 40.7178, -74.0431},
	{"US_NY", "Staten Island", 40.6437, -74.0736},
	{"US_HI", "Honolulu", 21.3069, -157.8583},
	{"US_GU", "Hagatna", 13.4745, 144.7504},
	{"US_MP", "Saipan", 15.185, 145.7467},
	{"US_AS", "Pago Pago", -14.2756, -170.702},
	{"US_PR", "San Juan", 18.4655, -66.1057},
	{"US_VI", "Cruz Bay", 18.3313, -64.7937},
	{"", "Road Town", 18.4286, -64.6185},
	{"", "Jost Van Dyke", 18.443, -64.75},
	{"", "Big Diomede", 65.78, -169.06},
	{"US_AK", "Little Diomede", 65.758, -168.953},
	{"", "St Pierre", 46.7786, -56.1773},
	{"", "Hamilton Bermuda", 32.2949, -64.783},
	{"", "Havana", 23.1136, -82.3666},
	{"", "Nassau", 25.048, -77.3554},
	{"", "Bimini", 25.728, -79.299},
	{"US_FL", "Key West", 24.5551, -81.78},
	{"US_AK", "Adak", 51.88, -176.658},
	{"US_AK", "Attu", 52.9, 173.0},
	{"", "Nuuk", 64.1814, -51.6941},
	{"", "Provideniya", 64.4235, -173.2258},
	{"US_OR", "Portland", 45.5152, -122.6784},
	{"US_WA", "Vancouver WA", 45.6387, -122.6615},
	{"US_MO", "St Louis", 38.627, -90.1994},
	{"US_IL", "East St Louis", 38.6245, -90.151},
	{"US_OH", "Cincinnati", 39.1031, -84.512},
	{"US_KY", "Covington", 39.0837, -84.5086},
	{"US_MO", "Kansas City MO", 39.0997, -94.5786},
	{"US_KS", "Kansas City KS", 39.1141, -94.6275},
	{"US_TN", "Memphis", 35.1495, -90.049},
	{"US_AR", "West Memphis", 35.1465, -90.1845},
	{"CA_QC", "Gatineau", 45.4765, -75.7013},
	{"CA_ON", "Ottawa", 45.4215, -75.6972},
	{"CA_QC", "Hull", 45.429, -75.715},
	{"CA_SK", "Lloydminster E", 53.2783, -109.99},
	{"CA_AB", "Lloydminster W", 53.2783, -110.025},
	{"CA_QC", "Iles De La Madeleine", 47.38, -61.87},
	{"CA_PE", "Charlottetown", 46.2382, -63.1311},
	{"CA_NS", "Halifax", 44.6488, -63.5752},
	{"CA_NL", "St Johns", 47.5615, -52.7126},
	{"CA_NS", "Sable", 43.933, -59.91},
	{"CA_NU", "Alert", 82.5018, -62.3481},
	{"CA_NU", "Iqaluit", 63.7467, -68.517},
	{"CA_NU", "Sanikiluaq", 56.542, -79.223},
	{"US_MA", "Nantucket", 41.2835, -70.0995},
	{"US_CA", "Santa Monica Pier", 34.0076, -118.4998},
	{"US_WA", "Seattle Ferry", 47.605, -122.42},
	{"US_WI", "Superior", 46.7208, -92.1041},
	{"US_MN", "Duluth", 46.7867, -92.1005},
	{"", "Hamburg", 53.55, 9.99},
	{"", "Monterrey", 25.6866, -100.3161},
}

func TestTownsAreInTheirStates(t *testing.T) {
	for _, town := range towns {
		if got := At(orb.Point{town.lng, town.lat}); got != town.code {
			t.Errorf("%s is in %q, want %q", town.name, got, town.code)
		}
	}
}

func TestEveryStateHasAnOutline(t *testing.T) {
	states := load().states
	if len(states) != len(schemas.States) {
		t.Errorf("%d outlines of %d states", len(states), len(schemas.States))
	}
	for _, s := range schemas.States {
		if Of(s.Country+"_"+s.Code) == nil {
			t.Errorf("%s has no outline", s.Name.EN)
		}
	}
	if !slices.IsSortedFunc(states, func(a, b state) int {
		if a.code < b.code {
			return -1
		}
		return 1
	}) {
		t.Error("the states are not in order")
	}
	if Of("MX_BC") != nil {
		t.Error("a state of Mexico has an outline")
	}
}

// Neighbours share their borders: no point is in two states, except on a border.
func TestStatesDoNotOverlap(t *testing.T) {
	a := load()
	rapid.Check(t, func(t *rapid.T) {
		p := orb.Point{rapid.Float64Range(-180, -50).Draw(t, "lng"), rapid.Float64Range(15, 84).Draw(t, "lat")}
		var found []string
		for _, s := range a.states {
			if geo.Contains(s.geometry, p) {
				found = append(found, s.code)
			}
		}
		if len(found) > 1 {
			t.Fatalf("%v is in %v", p, found)
		}
		if want := append(found, "")[0]; At(p) != want {
			t.Fatalf("%v is in %q, want %q", p, At(p), want)
		}
	})
}

func TestNear(t *testing.T) {
	for _, tt := range []struct {
		name     string
		lat, lng float64
		want     bool
	}{
		{"Tijuana", 32.51, -117.04, true}, {"Mexico City", 19.43, -99.13, false}, {"Manaus", -3.1, -60, false},
		{"Moscow", 55.75, 37.62, false}, {"Berlin", 52.52, 13.4, false}, {"null", 0, 0, false},
		{"Ottawa", 45.42, -75.69, true}, {"Ottawa, swapped", -75.69, 45.42, false}, {"the Bering Sea at the antimeridian", 52, 179.99, true},
		{"no number", math.NaN(), 0, false}, {"out of range", 45, 181, false}, {"the pole", 90, 180, false}, {"the other pole", -90, -180, false},
	} {
		if Near(orb.Point{tt.lng, tt.lat}) != tt.want {
			t.Errorf("%s: %v", tt.name, !tt.want)
		}
	}
	for _, town := range towns {
		if p := (orb.Point{town.lng, town.lat}); town.code != "" && !Near(p) {
			t.Errorf("%s is not near", town.name)
		}
	}
}

func TestTouches(t *testing.T) {
	square := func(lng, lat, size float64) orb.MultiPolygon {
		return orb.MultiPolygon{{{{lng, lat}, {lng + size, lat}, {lng + size, lat + size}, {lng, lat + size}, {lng, lat}}}}
	}
	for _, tt := range []struct {
		name string
		g    orb.MultiPolygon
		code string
		want bool
	}{
		{"in the country", square(-75.6, 39, 0.1), "US", true},
		{"in the other one", square(-75.6, 39, 0.1), "CA", false},
		{"in either", square(-75.6, 39, 0.1), "", true},
		{"over the border", square(-75.6, 44, 2), "CA", true},
		{"in neither", square(-37, -10, 0.5), "", false},
	} {
		if Touches(tt.g, tt.code) != tt.want {
			t.Errorf("%s: %v", tt.name, !tt.want)
		}
	}
}

func BenchmarkAt(b *testing.B) {
	for i := range b.N {
		town := towns[i%len(towns)]
		At(orb.Point{town.lng, town.lat})
	}
}
