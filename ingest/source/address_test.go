package source

import "testing"

func TestPublicURL(t *testing.T) {
	same := []string{
		"", "https://download.geofabrik.de/north-america/us/delaware-latest.osm.pbf",
		"https://www12.statcan.gc.ca/comp/GetFile.cfm?Lang=E&FILETYPE=CSV&GEONO=006_Ontario",
		"https://api.example.org/odata/Property?$filter=City%20eq%20'Salem'",
	}
	for _, address := range same {
		if got := PublicURL(address); got != address {
			t.Errorf("%s became %s", address, got)
		}
	}
	for address, want := range map[string]string{
		"https://me:s3cret@example.org/x.zip":                    "https://example.org/x.zip",
		"https://example.org/x.zip?key=s3cret&year=2024":         "https://example.org/x.zip?key=hidden&year=2024",
		"https://example.org/x?api_key=s3cret":                   "https://example.org/x?api_key=hidden",
		"https://example.org/x?apiKey=s3cret&b":                  "https://example.org/x?apiKey=hidden&b",
		"https://example.org/x?access_token=s3cret":              "https://example.org/x?access_token=hidden",
		"https://s3/x?X-Amz-Signature=s3cret&X-Amz-Expires=60":   "https://s3/x?X-Amz-Signature=hidden&X-Amz-Expires=60",
		"https://blob/x?sv=2024&sig=s3cret":                      "https://blob/x?sv=2024&sig=hidden",
		"https://example.org/x?%6bey=s3cret":                     "https://example.org/x?%6bey=hidden",
		"https://example.org/x?%zz=s3cret":                       "https://example.org/x?%zz=hidden",
		"https://example.org/x#s3cret":                           "https://example.org/x",
		"https://exa mple.org:s3cret/":                           "",
		"https://gateway/x?Ocp-Apim-Subscription-Key=s3cret&a=1": "https://gateway/x?Ocp-Apim-Subscription-Key=hidden&a=1",
	} {
		if got := PublicURL(address); got != want {
			t.Errorf("%s became %s, want %s", address, got, want)
		}
	}
}
