package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"quartier/serve"
	"quartier/serve/reply"
	"quartier/serve/servetest"
)

// squareWKT is a rectangle at a point with one decimal. Its opposite corner has another digit: 5 in lng, digit in lat.
func squareWKT(lng, lat, digit string) string {
	return "POLYGON((" + lng + " " + lat + "," + lng + "5 " + lat + "," + lng + "5 " + lat + digit + "," + lng + " " + lat + "))"
}

const (
	north = "lat=45.2&lng=-72.8"
	south = "lat=44.8&lng=-72.8"
)

func polygon(wkt string) string { return "polygon=" + url.QueryEscape(wkt) }

// refusals are requests with the expected status, one row for each rule of each endpoint. Requests with several errors
// check the order of checks.
var refusals = []struct {
	who, method, url string
	headers          []string
	want             int
}{
	// The token is checked first, whatever else is wrong.
	{who: "", url: "/v3/geographies?" + north, want: 403},
	{who: "", url: "/v3/nothing", want: 403},
	{who: "", url: "/v3", want: 403},
	{who: "", method: "POST", url: "/v3/geographies?lat=x", want: 403},
	{who: "", url: "/v3/enhanced-pois/nonsense", want: 403},
	{who: "", url: "/v3/geographies", headers: []string{"Accept: text/html"}, want: 403},
	{who: "", url: "/v3/geographies", headers: []string{"Authorization: Basic Zm9vOmJhcg=="}, want: 403},
	{who: "", url: "/v3/geographies", headers: []string{"Authorization: Bearer "}, want: 403},
	{who: "", url: "/v3/geographies", headers: []string{"Authorization: bearer x.y.z"}, want: 403},
	{who: "full", url: "/v3/geographies?" + north, headers: []string{"Authorization: Bearer x"}, want: 403},

	// Then the path and the form of an id.
	{who: "full", url: "/v3", want: 404},
	{who: "full", url: "/v3/", want: 404},
	{who: "full", url: "/v3/nothing", want: 404},
	{who: "full", url: "/v3/geographies/", want: 404},
	{who: "full", url: "/v3/typologies/", want: 404},
	{who: "full", url: "/v3/geographies/a/b", want: 404},
	{who: "full", url: "/v3/enhanced-pois/categories/", want: 404},
	{who: "full", url: "/v3/pois/g30_nord000000", want: 404},
	{who: "full", url: "/nothing", want: 404},
	{who: "", url: "/nothing", want: 404},
	{who: "full", url: "/v3/geographies/nonsense", want: 404},
	{who: "full", url: "/v3/geographies/g30_nosuchone0", want: 404},
	{who: "full", url: "/v3/geographies/g30_", want: 404},
	{who: "full", url: "/v3/geographies/g31_nord000000", want: 404},
	{who: "full", url: "/v3/geographies/g3_nord000000", want: 404},
	{who: "full", url: "/v3/geographies/G30_nord000000", want: 404},
	{who: "full", url: "/v3/geographies/g30_" + strings.Repeat("a", 33), want: 404},
	{who: "full", url: "/v3/geographies/g30_%00", want: 404},
	{who: "full", url: "/v3/geographies/g30_%2e%2e%2f", want: 404},
	{who: "full", url: "/v3%2Fgeographies?" + north, want: 404},
	{who: "full", url: "/v3/geographies%2f" + servetest.NorthCity, want: 404},
	{who: "full", url: "/v3/enhanced-pois%2Fbrands", want: 404},
	{who: "full", url: "/v3/geograph%69es?lat=x", want: 400}, // another spelling of the same path
	{who: "full", method: "POST", url: "/v3/geographies/nonsense", want: 404},
	{who: "full", url: "/v3/enhanced-pois/" + servetest.Metro, want: 404},
	{who: "full", url: "/v3/enhanced-pois/" + servetest.Quebec, want: 404},
	{who: "full", url: "/v3/enhanced-pois/" + servetest.Canada, want: 404},
	{who: "full", url: "/v3/enhanced-pois/g30_nosuchone0", want: 404},
	{who: "full", url: "/v3/enhanced-pois/nonsense?limit=x", want: 404},

	// Then the method, then Accept.
	{who: "full", method: "POST", url: "/v3/geographies?lat=x", want: 405},
	{who: "full", method: "DELETE", url: "/v3/geographies/" + servetest.NorthCity, want: 405},
	{who: "full", method: "OPTIONS", url: "/v3/pois", headers: []string{"Accept: text/html"}, want: 405},
	{who: "", method: "GET", url: "/oauth/token", want: 405},
	{who: "", method: "POST", url: "/healthz", want: 405},
	{who: "full", url: "/v3/geographies?" + north, headers: []string{"Accept: text/html"}, want: 400},
	{who: "full", url: "/v3/geographies?" + north, headers: []string{"Accept: application/json;q=0"}, want: 400},
	{who: "full", url: "/v3/geographies?" + north, headers: []string{"Accept: application/json;q=0, */*"}, want: 400},
	{who: "pois", url: "/v3/geographies?" + north, headers: []string{"Accept: image/png"}, want: 400},

	// Then the product.
	{who: "pois", url: "/v3/geographies?lat=x", want: 401},
	{who: "pois", url: "/v3/geographies/g30_nosuchone0", want: 401},
	{who: "pois", url: "/v3/enhanced-pois?lat=x", want: 400},

	// Then the parameters.
	{who: "full", url: "/v3/geographies", want: 400},
	{who: "full", url: "/v3/geographies?lat=45.2", want: 400},
	{who: "full", url: "/v3/geographies?lng=-72.8", want: 400},
	{who: "full", url: "/v3/geographies?" + north + "&name=northville", want: 400},
	{who: "full", url: "/v3/geographies?lat=NaN&lng=-72.8", want: 400},
	{who: "full", url: "/v3/geographies?lat=45,2&lng=-72.8", want: 400},
	{who: "full", url: "/v3/geographies?" + north + "&lat=45.2", want: 400},
	{who: "full", url: "/v3/geographies?" + north + "&include=centroid", want: 400},
	{who: "full", url: "/v3/geographies?" + north + "&levels=70", want: 400},
	{who: "full", url: "/v3/geographies?" + north + "&levels=10,11", want: 400},
	{who: "full", url: "/v3/geographies?name=", want: 400},
	{who: "full", url: "/v3/geographies?name=x&limit=0", want: 400},
	{who: "full", url: "/v3/geographies?name=x&limit=51", want: 400},
	{who: "full", url: "/v3/geographies?name=x&limit=five", want: 400},
	{who: "full", url: "/v3/geographies?name=x&language=de", want: 400},
	{who: "full", url: "/v3/geographies?name=x&location_codes=ca_qc", want: 400},
	{who: "full", url: "/v3/geographies?name=x&location_codes=CA-QC", want: 400},
	{who: "full", url: "/v3/geographies?name=x&levels=10,,30", want: 400},
	{who: "full", url: "/v3/geographies/" + servetest.NorthCity + "?include=all", want: 400},
	{who: "full", url: "/v3/enhanced-pois", want: 400},
	{who: "full", url: "/v3/enhanced-pois?lat=45.2", want: 400},
	{who: "full", url: "/v3/enhanced-pois?radius=100", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&radius=0", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&radius=-5", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&radius=25000.5", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&limit=501", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&categories=cafe", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&" + polygon(squareWKT("-72.8", "45.2", "1")), want: 400},
	{who: "full", url: "/v3/enhanced-pois?radius=100&" + polygon(squareWKT("-72.8", "45.2", "1")), want: 400},
	{who: "full", url: "/v3/enhanced-pois?lat=45.2&" + polygon(squareWKT("-72.8", "45.2", "1")), want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3))"), want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-72.8 45.2,-72.7 45.3,-72.7 45.2,-72.8 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-73.4 45,-72.6 45,-72.6 45.5,-73.4 45))"), want: 400},     // 84 km
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-180 45,180 45,180 45.1,-180 45.1,-180 45))"), want: 400}, // round the world
	{who: "full", url: "/v3/pois?include=cafes&" + polygon("POLYGON((-179.9 45,179.9 45,179.9 45.1,-179.9 45))"), want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2"+strings.Repeat(" ", 5000)+"))"),
		want: 400},
	{who: "full", url: "/v3/enhanced-pois/" + servetest.NorthCity + "?buffer=10000.1", want: 400},
	{who: "full", url: "/v3/enhanced-pois/" + servetest.NorthCity + "?buffer=-1", want: 400},
	{who: "full", url: "/v3/enhanced-pois/" + servetest.NorthCity + "?buffer=6.3&buffer_unit=mile", want: 400},
	{who: "full", url: "/v3/enhanced-pois/" + servetest.NorthCity + "?buffer_unit=km", want: 400},
	{who: "full", url: "/v3/enhanced-pois/g30_nosuchone0?limit=0", want: 400},
	{who: "full", url: "/v3/enhanced-pois/brands?language=es", want: 400},
	{who: "full", url: "/v3/pois?" + north, want: 400},
	{who: "full", url: "/v3/pois?" + north + "&include=banks", want: 400}, // a category of enhanced POIs only
	{who: "full", url: "/v3/pois?" + north + "&include=cafes,parks&limit=31", want: 400},
	{who: "full", url: "/v3/scores?lat=45.2", want: 400},
	{who: "full", url: "/v3/scores?lat=45.2&geography_ids=" + servetest.NorthOld, want: 400},
	{who: "full", url: "/v3/scores?" + north + "&include=charm", want: 400},
	{who: "full", url: "/v3/scores?" + north + "&geography_levels=60", want: 400},
	{who: "full", url: "/v3/scores?" + north + "&language=es", want: 400},
	{who: "full", url: "/v3/scores?" + north + "&location_scores_rounding=0.5", want: 400},
	{who: "full", url: "/v3/scores?geography_ids=" + strings.Repeat("g10_a,", 100) + "g10_a", want: 400},
	{who: "full", url: "/v3/scores?lat=91&lng=0&include=charm", want: 400},
	{who: "full", url: "/v3/scores/" + servetest.NorthOld + "?include=charm", want: 400},
	{who: "full", url: "/v3/typologies", want: 400},
	{who: "full", url: "/v3/typologies?lat=45.2", want: 400},
	{who: "full", url: "/v3/typologies/f2h1pk", want: 400},
	{who: "full", url: "/v3/typologies/f2h1pkkk", want: 400},
	{who: "full", url: "/v3/typologies/f2h1pka", want: 400},
	{who: "full", url: "/v3/data?" + north, want: 400},
	{who: "full", url: "/v3/data?include=&" + north, want: 400},
	{who: "full", url: "/v3/data?include=everything&" + north, want: 400},
	{who: "full", url: "/v3/data?include=pois_count&lat=45.2", want: 400},
	{who: "full", url: "/v3/data?include=pois_count&radius=0&" + north, want: 400},
	{who: "full", url: "/v3/data?include=pois_count&radius=16&radius_unit=mile&" + north, want: 400},
	{who: "full", url: "/v3/data?include=pois_count&radius_unit=km&" + north, want: 400},
	{who: "full", url: "/v3/data?include=demographics&radius=19800&" + north, want: 400}, // wider than half a degree
	{who: "full", url: "/v3/data?include=demographics,scores_all&radius=19800&" + north, want: 400},
	{who: "full", url: "/v3/data?include=pois_count,scores_all&radius=25001&" + north, want: 400},
	{who: "full", url: "/v3/data?include=scores_all&radius=-1&" + north, want: 400},
	{who: "full", url: "/v3/data?include=scores_all&radius=1e400&" + north, want: 400},
	{who: "full", url: "/v3/data?include=scores_all&radius=25001&" + north, want: 200}, // neither part has an area
	{who: "full", url: "/v3/data?include=scores_all,measures_all&radius=1e300&radius_unit=mile&" + north, want: 200},
	{who: "full", url: "/v3/data?include=+,&" + north, want: 400},
	// Lists may be repeated, other parameters not.
	{who: "full", url: "/v3/enhanced-pois?" + north + "&categories=cafes&categories[]=+banks+,parks&tags=&tags=chain", want: 200},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&categories=cafes&categories=cafe", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&categories=cafes,,banks", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&limit=5&limit=5", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&limit=5&limit=", want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + north + "&limit[]=x&radius[]=x", want: 200}, // unknown
	{who: "full", url: "/v3/enhanced-pois?" + north + "&limit=&radius=&polygon=&categories=&brands=&tags=", want: 200},
	{who: "full", url: "/v3/geographies?" + north + "&name=&levels=&limit=&language=&include=&location_codes=", want: 200},
	{who: "full", url: "/v3/geographies?lat=&lng=&name=old", want: 200},
	{who: "full", url: "/v3/geographies?lat=45.2&lng=", want: 400},
	{who: "full", url: "/v3/geographies?name=", want: 400},
	{who: "full", url: "/v3/typologies?lat=45.2&lng=", want: 400},
	{who: "full", url: "/v3/pois?" + north + "&include=", want: 400},
	{who: "full", url: "/v3/scores?geography_ids=&lat=&lng=", want: 422},
	{who: "full", url: "/v3/scores?geography_ids=" + strings.Repeat("g10_a,", 50) + "g10_a&geography_ids=" + strings.Repeat("g10_a,", 49) +
		"g10_a", want: 400},
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?property_types=castle", want: 400},
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?property_types=single_family,", want: 400},
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?intervals=7d", want: 400},
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?intervals=2023-12,2024-01", want: 400}, // open
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?intervals=2024Q1", want: 400},
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?intervals=2023-13", want: 400},
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?intervals=2023Q5", want: 400},
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?intervals=2018-12", want: 400}, // older than 60 months
	{who: "full", url: "/v3/market-stats/" + servetest.SouthOld + "?intervals=2018Q4", want: 400},
	{who: "full", url: "/v3/market-stats/g10_nosuchone0?intervals=7d", want: 400}, // before the geography
	{who: "full", url: "/v3/market-stats/" + servetest.NorthOld, want: 404},       // in Canada
	{who: "full", url: "/v3/market-stats/" + servetest.Metro, want: 404},
	{who: "full", url: "/v3/market-stats/" + servetest.Vermont, want: 404}, // level 60
	{who: "full", url: "/v3/market-stats/" + servetest.Vermont + "?intervals=7d", want: 404},
	{who: "full", url: "/v3/market-stats/g70_unitedstat", want: 404},
	{who: "full", url: "/v3/market-stats/g30_nosuchone0", want: 404},
	{who: "full", url: "/v3/market-stats/", want: 404},
	{who: "quebec", url: "/v3/market-stats/" + servetest.SouthOld, want: 401},
	{who: "us", url: "/v3/market-stats/" + servetest.NorthOld, want: 401},
	{who: "pois", url: "/v3/market-stats/" + servetest.SouthOld, want: 401},
	{who: "pois", url: "/v3/market-stats/status", want: 401},
	{who: "", url: "/v3/market-stats/status", want: 403},
	{who: "pois", url: "/v3/status", want: 200},
	{who: "", url: "/v3/status", want: 403},
	{who: "full", url: "/v3/status/places", want: 404},
	{who: "full", url: "/v3/demographics", want: 400},
	{who: "full", url: "/v3/demographics?lat=45.2", want: 400},
	{who: "full", url: "/v3/demographics?radius=0&" + north, want: 400},
	{who: "full", url: "/v3/demographics?radius=1e308&" + north, want: 400},
	{who: "full", url: "/v3/demographics?radius=19800&" + north, want: 400},
	{who: "full", url: "/v3/demographics?radius=13&radius_unit=mile&" + north, want: 400},
	{who: "full", url: "/v3/demographics?radius_unit=km&" + north, want: 400},
	{who: "full", url: "/v3/demographics?language=es&" + north, want: 400},
	{who: "full", url: "/v3/demographics?" + north + "&" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/demographics?radius=5&" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/demographics?" + polygon("POLYGON((-72.8 45.2,-72.29 45.2,-72.29 45.21,-72.8 45.2))"), want: 400}, // wide
	{who: "full", url: "/v3/demographics?" + polygon("POLYGON((-72.8 45.2,-72.79 45.2,-72.79 45.71,-72.8 45.2))"), want: 400}, // high
	// 38 by 56 cells
	{who: "full", url: "/v3/demographics?" + polygon("POLYGON((-72.8 45.2,-72.4 45.2,-72.4 45.5,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/demographics?" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.8 45.3,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/demographics/" + servetest.NorthOld + "?language=es", want: 400},
	{who: "full", url: "/v3/schools", want: 400},
	{who: "full", url: "/v3/schools?radius=500", want: 400},
	{who: "full", url: "/v3/schools?lat=45.2", want: 400},
	{who: "full", url: "/v3/schools?radius=0&" + north, want: 400},
	{who: "full", url: "/v3/schools?radius=NaN&" + north, want: 400},
	{who: "full", url: "/v3/schools?radius=25000&" + north, want: 200},
	{who: "full", url: "/v3/schools?radius=25000.1&" + north, want: 400},
	{who: "full", url: "/v3/schools?radius=15.5&radius_unit=mile&" + north, want: 200},
	{who: "full", url: "/v3/schools?radius=15.6&radius_unit=mile&" + north, want: 400},
	{who: "full", url: "/v3/schools?radius_unit=km&" + north, want: 400},
	{who: "full", url: "/v3/schools?radius_unit=mile&" + north, want: 200}, // the default is in metres
	{who: "full", url: "/v3/schools?limit=0&" + north, want: 400},
	{who: "full", url: "/v3/schools?limit=31&" + north, want: 400},
	{who: "full", url: "/v3/schools?limit=2.5&" + north, want: 400},
	{who: "full", url: "/v3/schools?language=es&" + north, want: 400},
	{who: "full", url: "/v3/schools?include_catchments=yes&" + north, want: 400},
	{who: "full", url: "/v3/schools?include_catchments=True&" + north, want: 200},
	{who: "full", url: "/v3/schools?include_catchments=&" + north, want: 200},
	{who: "full", url: "/v3/schools?" + north + "&" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/schools?lat=45.2&" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/schools?radius=5&" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/schools?" + polygon("POINT(-72.8 45.2)"), want: 400},
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3))"), want: 400},
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.8 45.3,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((-72.8 45.2,-72.29 45.2,-72.29 45.21,-72.8 45.2))"), want: 400}, // wide
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((-72.8 45.2,-72.79 45.2,-72.79 45.71,-72.8 45.2))"), want: 400}, // high
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((-72.8 45.2,-72.4 45.2,-72.4 45.5,-72.8 45.2))"), want: 400},    // 38 by 56 cells
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2"+strings.Repeat(" ", 5000)+"))"),
		want: 400},
	{who: "full", url: "/v3/profiles", want: 400},
	{who: "full", url: "/v3/profiles?lat=45.2", want: 400},
	{who: "full", url: "/v3/profiles?lat=45.2&lng=", want: 400},
	{who: "full", url: "/v3/profiles?level=40&" + north, want: 400},
	{who: "full", url: "/v3/profiles?level=10,30&" + north, want: 400},
	{who: "full", url: "/v3/profiles?level=10&level=20&" + north, want: 400},
	{who: "full", url: "/v3/profiles?level=NULL&" + north, want: 400},
	{who: "full", url: "/v3/profiles?level=null&" + north, want: 200},
	{who: "full", url: "/v3/profiles?level=&locale=&" + north, want: 200},
	{who: "full", url: "/v3/profiles?locale=es&" + north, want: 400},
	{who: "full", url: "/v3/profiles?level=x&lat=91&lng=0", want: 400},
	{who: "full", url: "/v3/profiles/" + servetest.NorthOld + "?locale=es", want: 400},
	{who: "profiles", url: "/v3/profiles?" + north, want: 200},
	{who: "profiles", url: "/v3/scores?" + north, want: 401},
	{who: "pois", url: "/v3/profiles?lat=x", want: 401},
	{who: "pois", url: "/v3/profiles/" + servetest.NorthOld, want: 401},
	// Then coordinates out of range, and requests without a place.
	{who: "full", url: "/v3/profiles?lat=45.2&lng=181", want: 422},
	{who: "full", url: "/v3/profiles?lat=91&lng=0&level=35", want: 422},
	{who: "full", url: "/v3/demographics?lat=45&lng=-181", want: 422},
	{who: "full", url: "/v3/demographics?" + polygon("POLYGON((-180.1 45.2,-180 45.2,-180 45.3,-180.1 45.2))"), want: 422},
	{who: "full", url: "/v3/schools?lat=90.5&lng=0", want: 422},
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((-180.1 45.2,-180 45.2,-180 45.3,-180.1 45.2))"), want: 422},
	{who: "full", url: "/v3/scores", want: 422},
	{who: "full", url: "/v3/scores?geography_ids=", want: 422},
	{who: "full", url: "/v3/scores?include=quiet", want: 422},
	{who: "full", url: "/v3/scores?lat=90.1&lng=0", want: 422},
	{who: "full", url: "/v3/data?include=scores_all&lat=45&lng=180.1", want: 422},
	{who: "full", url: "/v3/typologies?lat=45&lng=-181", want: 422},
	// Then values that are not in the agreement.
	{who: "quiet", url: "/v3/scores?" + north + "&include=quiet,cafes", want: 403},
	{who: "quiet", url: "/v3/scores?lat=10&lng=10&include=cafes", want: 403},
	{who: "quiet", url: "/v3/scores/" + servetest.NorthOld + "?include=cafes", want: 403},
	{who: "quiet", url: "/v3/data?include=pois_count&" + north, want: 403},
	{who: "quiet", url: "/v3/data?include=scores_all,demographics&" + north, want: 403},
	{who: "quiet", url: "/v3/demographics?lat=45", want: 401},
	{who: "quiet", url: "/v3/typologies?lat=45", want: 401},
	{who: "pois", url: "/v3/scores", want: 401},
	// Then the place.
	{who: "full", url: "/v3/scores?lat=10&lng=10", want: 404},
	{who: "full", url: "/v3/scores?geography_ids=g10_nosuchone0", want: 404},
	{who: "full", url: "/v3/scores?geography_ids=nonsense", want: 404},
	{who: "full", url: "/v3/scores?geography_ids=" + servetest.Quebec, want: 404},
	{who: "us", url: "/v3/scores?geography_ids=" + servetest.NorthOld + ",g10_nosuchone0", want: 404}, // before the region
	{who: "us", url: "/v3/scores?" + north + "&geography_ids=g10_nosuchone0", want: 404},
	{who: "us", url: "/v3/scores?lat=10&lng=10&geography_ids=" + servetest.NorthOld, want: 404},
	{who: "full", url: "/v3/scores/" + servetest.Quebec, want: 404},
	{who: "full", url: "/v3/typologies/s000000", want: 404},
	{who: "full", url: "/v3/data?include=scores_all&lat=10&lng=10", want: 404},
	{who: "full", url: "/v3/demographics?lat=10&lng=10", want: 404},
	{who: "full", url: "/v3/demographics/" + servetest.Quebec, want: 404},
	{who: "full", url: "/v3/demographics/g30_nosuchone0", want: 404},
	{who: "full", url: "/v3/schools?lat=10&lng=10", want: 404},
	{who: "full", url: "/v3/schools?" + polygon("POLYGON((10 10,10.1 10,10.1 10.1,10 10))"), want: 404},
	{who: "us", url: "/v3/schools?" + north, want: 401},
	{who: "us", url: "/v3/schools?" + polygon("POLYGON((-72.8 45.2,-72.7 45.2,-72.7 45.3,-72.8 45.2))"), want: 401},
	{who: "pois", url: "/v3/schools?lat=x", want: 401},
	{who: "full", url: "/v3/profiles?lat=10&lng=10", want: 404},
	{who: "full", url: "/v3/profiles?level=35&" + north, want: 404}, // no county subdivision there
	{who: "full", url: "/v3/profiles?level=30&lat=45.9&lng=-72", want: 404},
	{who: "full", url: "/v3/profiles/" + servetest.Metro, want: 404},
	{who: "full", url: "/v3/profiles/" + servetest.Quebec, want: 404},
	{who: "full", url: "/v3/profiles/g10_nosuchone0", want: 404},
	{who: "full", url: "/v3/profiles/nonsense?locale=es", want: 404},
	{who: "us", url: "/v3/profiles?" + north, want: 401},
	{who: "us", url: "/v3/profiles?level=35&" + north, want: 401},
	{who: "us", url: "/v3/profiles/" + servetest.NorthOld, want: 401},
	{who: "us", url: "/v3/demographics?" + north, want: 401},
	{who: "us", url: "/v3/demographics/" + servetest.NorthOld, want: 401},
	{who: "us", url: "/v3/scores?" + north, want: 401},
	{who: "us", url: "/v3/scores?" + south + "&geography_ids=" + servetest.NorthOld, want: 401},
	{who: "us", url: "/v3/scores/" + servetest.NorthOld, want: 401},
	{who: "us", url: "/v3/typologies/" + servetest.NorthCell, want: 401},
	{who: "us", url: "/v3/data?include=scores_all&" + north, want: 401},
	// Then that there are no data.
	{who: "full", url: "/v3/profiles?level=37&" + north, want: 204}, // a county without a profile
	{who: "full", url: "/v3/profiles?lat=45.9&lng=-72", want: 204},
	{who: "full", url: "/v3/profiles/" + servetest.Unpopulated, want: 204},
	{who: "full", url: "/v3/profiles/" + servetest.SouthCity, want: 204},
	{who: "full", url: fmt.Sprintf("/v3/demographics?lat=%v&lng=%v", servetest.WildLat, servetest.WildLng), want: 204},
	{who: "full", url: "/v3/demographics/" + servetest.SouthOld, want: 204},
	{who: "full", url: fmt.Sprintf("/v3/data?include=demographics,measures_all&lat=%v&lng=%v", servetest.WildLat, servetest.WildLng),
		want: 204},
	{who: "full", url: "/v3/scores?lat=45.9&lng=-72", want: 204},
	{who: "full", url: fmt.Sprintf("/v3/scores?lat=%v&lng=%v", servetest.WildLat, servetest.WildLng), want: 204},
	{who: "full", url: "/v3/scores?" + north + "&include=historic", want: 204},
	{who: "full", url: "/v3/scores?geography_ids=" + servetest.NorthCity, want: 204},
	{who: "full", url: "/v3/scores/" + servetest.NorthCity, want: 204},
	{who: "full", url: "/v3/typologies/" + servetest.WildCell, want: 204},
	{who: "full", url: "/v3/data?include=scores_all,measures_all&lat=45.9&lng=-72", want: 204},
	{who: "full", url: "/v3/pois?" + north + "&include=cafes&limit=501", want: 400},
	{who: "full", url: "/v3/pois?include=cafes", want: 400},
	{who: "full", url: "/v3/geographies?lat=95&lng=x", want: 400},
	{who: "full", url: "/v3/geographies?lat=95&lng=-72.8&include=x", want: 400},
	{who: "full", url: "/v3/geographies?lat=95", want: 400},

	// Coordinates out of range come after other parameters.
	{who: "full", url: "/v3/geographies?lat=90.01&lng=-72.8", want: 422},
	{who: "full", url: "/v3/geographies?lat=45&lng=-180.5", want: 422},
	{who: "quebec", url: "/v3/enhanced-pois?lat=-91&lng=-72.8", want: 422},
	{who: "full", url: "/v3/pois?lat=45&lng=200&include=cafes", want: 422},
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-72.8 89.9,-72.7 90.1,-72.7 89.9,-72.8 89.9))"), want: 422},
	{who: "full", url: "/v3/pois?include=cafes&" + polygon("POLYGON((-179.9 45.2,-180.1 45.2,-180 45.3,-179.9 45.2))"), want: 422},
	// too large as well
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-72.8 45.2,-72.7 95.2,-72.7 45.3,-72.8 45.2))"), want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((0 45,0.1 45,0.1 225.1,0 45))"), want: 400},
	// and crossing
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-180.1 45,-180 45.1,-180 45,-180.1 45.1,-180.1 45))"), want: 400},

	// Then coverage, then regions.
	{who: "full", url: "/v3/geographies?lat=10&lng=10", want: 404},
	{who: "quebec", url: "/v3/geographies?lat=10&lng=10", want: 404},
	{who: "full", url: "/v3/enhanced-pois?lat=43.9&lng=-72.8", want: 404},
	{who: "full", url: "/v3/enhanced-pois?" + polygon(squareWKT("2.3", "48.8", "1")), want: 404},
	{who: "full", url: "/v3/pois?lat=-45.2&lng=72.8&include=cafes", want: 404},
	{who: "quebec", url: "/v3/geographies?" + south, want: 401},
	{who: "us", url: "/v3/geographies?" + north, want: 401},
	{who: "elsewhere", url: "/v3/geographies?" + south, want: 401},
	{who: "quebec", url: "/v3/enhanced-pois?" + south, want: 401},
	{who: "quebec", url: "/v3/enhanced-pois?" + polygon(squareWKT("-72.8", "44.8", "1")), want: 401},
	{who: "us", url: "/v3/pois?include=cafes&" + north, want: 401},
	{who: "quebec", url: "/v3/geographies/" + servetest.SouthCity, want: 401},
	{who: "us", url: "/v3/enhanced-pois/" + servetest.NorthCity, want: 401},
	{who: "quebec", url: "/v3/geographies/" + servetest.FarAway, want: 401},
	{who: "elsewhere", url: "/v3/geographies/" + servetest.Replaced, want: 401},

	// A long URL is not an error in itself.
	{who: "", url: "/v3/geographies?name=" + strings.Repeat("x", 60_000), want: 403},
	{who: "full", url: "/v3/nothing?" + strings.Repeat("x", 60_000), want: 404},
	{who: "full", method: "POST", url: "/v3/geographies?name=" + strings.Repeat("x", 60_000), want: 405},
	{who: "full", url: "/v3/geographies?name=" + strings.Repeat("x", 60_000), want: 400},
	{who: "full", url: "/v3/enhanced-pois?" + polygon("POLYGON((-72.8 45.2"+strings.Repeat(",-72.8 45.2", 3000)+"))"), want: 400},
	{who: "full", url: "/v3/geographies?lat=10&lng=10&other=" + strings.Repeat("x", 60_000), want: 404},
}

func TestRefusals(t *testing.T) {
	a := newAPI(t)
	for _, c := range refusals {
		if c.method == "" {
			c.method = http.MethodGet
		}
		got := a.do(c.who, c.method, c.url, c.headers...)
		if got.status != c.want {
			t.Errorf("%s %.120s %v as %q: %d, want %d: %s", c.method, c.url, c.headers, c.who, got.status, c.want, got.body)
			continue
		}
		checkRefusal(t, c.url, got)
		if c.want == http.StatusMethodNotAllowed && got.header.Get("Allow") == "" {
			t.Errorf("%s %s: no Allow", c.method, c.url)
		}
	}
}

// codes are the codes of bodies with code and detail.
var codes = map[int]string{
	400: "Service.API.BadRequest", 401: "Service.API.Unauthorized", 404: "Service.API.NotFound",
	405: "Service.API.MethodNotAllowed",
}

// checkRefusal checks headers and body of a refusal by its status.
func checkRefusal(t *testing.T, url string, got answer) {
	t.Helper()
	if got.status == http.StatusOK {
		return // a request that shows what is not refused
	}
	if got.status == http.StatusNoContent {
		if got.body != "" || got.header.Get("Content-Type") != "" || got.header.Get("Cache-Control") != "private, max-age=300" ||
			got.header.Get("ETag") != "" || got.header.Get("Vary") != "Authorization, Accept, Accept-Encoding" {
			t.Errorf("%.120s: headers %v, body %q", url, got.header, got.body)
		}
		return
	}
	if got.header.Get("Content-Type") != "application/json" || got.header.Get("Cache-Control") != "no-store" ||
		got.header.Get("X-Request-Id") == "" {
		t.Errorf("%.120s: headers %v", url, got.header)
	}
	switch got.status {
	case 403:
		if got.body != `{"message":"Forbidden"}` {
			t.Errorf("%.120s: %s", url, got.body)
		}
	case 422:
		body := decode[reply.Invalid](t, got.body)
		if body.Code != "Service.API.BadRequest" || body.StatusCode != 422 || body.Message == "" {
			t.Errorf("%.120s: %s", url, got.body)
		}
	default:
		body := decode[reply.Problem](t, got.body)
		if body.Code != codes[got.status] || body.Detail == "" {
			t.Errorf("%.120s: %s", url, got.body)
		}
	}
}

// TestNoSuchGeography checks that unknown and malformed ids have the same answer, which reveals nothing about the id.
func TestNoSuchGeography(t *testing.T) {
	a := newAPI(t)
	want := a.get("full", "/v3/geographies/g30_nosuchone0").body
	for _, id := range []string{"nonsense", "g30_", "g99_aaaaaaaaaa", "g30_" + strings.Repeat("a", 40), "g10_x%20y", "g30_nord00000O"} {
		if got := a.get("full", "/v3/geographies/"+id); got.status != 404 || got.body != want {
			t.Errorf("%s: %d %s, want %s", id, got.status, got.body, want)
		}
	}
}

func TestAllow(t *testing.T) {
	a := newAPI(t)
	for path, want := range map[string]string{"/v3/geographies": "GET, HEAD", "/oauth/token": "POST",
		"/v3/enhanced-pois/g30_nord000000": "GET, HEAD"} {
		if got := a.do("full", http.MethodPut, path).header.Get("Allow"); got != want {
			t.Errorf("%s: Allow %q, want %q", path, got, want)
		}
	}
}

func TestRateLimit(t *testing.T) {
	a := newAPI(t)
	url := "/v3/geographies?" + north
	var statuses []int
	var last answer
	for range 5 {
		last = a.get("slow", url)
		statuses = append(statuses, last.status)
		if last.header.Get("RateLimit-Policy") != `"default";q=2;w=1` || !strings.HasPrefix(last.header.Get("RateLimit"), `"default";r=`) {
			t.Errorf("limit headers %v", last.header)
		}
	}
	if statuses[0] != 200 || statuses[1] != 200 || statuses[4] != 429 {
		t.Fatalf("statuses %v, want two of 200, then 429", statuses)
	}
	if last.body != `{"message":"Too Many Requests"}` || last.header.Get("Retry-After") != "1" {
		t.Errorf("%s with Retry-After %q", last.body, last.header.Get("Retry-After"))
	}
	if got := a.get("full", url); got.status != 200 {
		t.Errorf("another client: %d", got.status)
	}
}

func TestOverload(t *testing.T) {
	a := newAPI(t, func(o *serve.Options) { o.Admission.Requests = 1 })
	r := httptest.NewRequest(http.MethodGet, "/v3/geographies?"+north, nil)
	r.Header.Set("Authorization", "Bearer "+a.tokens["full"])
	entered, leave := make(chan struct{}), make(chan struct{})
	first := make(chan int)
	go func() {
		w := &blockedWriter{ResponseRecorder: httptest.NewRecorder(), entered: entered, leave: leave}
		a.handler.ServeHTTP(w, r)
		first <- w.Code
	}()
	<-entered
	got := a.get("full", "/v3/geographies?"+north)
	if got.status != 503 || got.body != `{"message":"Service Unavailable"}` || got.header.Get("Retry-After") == "" {
		t.Errorf("%d %s %v", got.status, got.body, got.header)
	}
	if got := a.get("", "/healthz"); got.status != 200 {
		t.Errorf("healthz under load: %d", got.status)
	}
	close(leave)
	if code := <-first; code != 200 {
		t.Errorf("the first request: %d", code)
	}
	if got := a.get("full", "/v3/geographies?"+north); got.status != 200 {
		t.Errorf("afterwards: %d", got.status)
	}
}

// blockedWriter blocks an answer until leave is closed.
type blockedWriter struct {
	*httptest.ResponseRecorder
	entered, leave chan struct{}
}

func (w *blockedWriter) WriteHeader(status int) {
	close(w.entered)
	<-w.leave
	w.ResponseRecorder.WriteHeader(status)
}

func TestPanicIsAFailure(t *testing.T) {
	a := newAPI(t, func(o *serve.Options) { o.Authority = panicking{o.Authority} })
	got := a.get("full", "/v3/geographies?"+north)
	var body reply.Failure
	must(t, json.Unmarshal([]byte(got.body), &body))
	if got.status != 500 || body.StatusCode != 500 || body.Type != "Service.API.ServerError" || body.Message == "" {
		t.Fatalf("%d %s", got.status, got.body)
	}
	if !strings.Contains(a.log.String(), "panic") || strings.Contains(a.log.String(), a.tokens["full"]) {
		t.Errorf("log: %s", a.log)
	}
}
