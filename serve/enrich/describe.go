package enrich

import (
	"encoding/json"
	"fmt"
	"slices"

	"quartier/schemas"
	"quartier/schemas/feeds"
)

// Metadata describe the values of the columns: by key the digests and dates of the release and its market statistics, the
// calibration, and what the licences of the sources ask for.
func (e *Enricher) Metadata() (map[string]string, error) {
	m := e.release.Manifest
	all := map[string]string{
		"quartier:release": m.Digest, "quartier:release_name": m.Release, "quartier:as_of": m.AsOf, "quartier:tool_version": m.ToolVersion,
	}
	for _, p := range m.Parameters {
		if p.Name == "calibration_version" || p.Name == "calibration_sha256" {
			all["quartier:"+p.Name] = p.Value
		}
	}
	if e.client.Customer != "" {
		all["quartier:customer"] = e.client.Customer
	}
	var products []string
	for _, g := range groups {
		if slices.Contains(e.choice.Add, g.name) {
			products = append(products, g.product)
		}
	}
	if e.choice.AddressLevel != "" {
		products = append(products, addressProduct)
	}
	sources := slices.Clone(feeds.Of(m.Sources, products...))
	if slices.Contains(e.choice.Add, "market") {
		stats := e.release.Market.Manifest
		all["quartier:market"], all["quartier:market_as_of"] = stats.Digest, stats.AsOf
		sources = append(sources, stats.Sources...)
	}
	var err error
	if all["quartier:attribution"], err = attributions(sources); err != nil {
		return nil, err
	}
	columns := map[string]string{}
	for _, c := range e.Columns() {
		columns[c.Name] = fmt.Sprintf("%s; NULL: %s", c.Doc, c.Null)
	}
	text, err := json.Marshal(columns)
	all["quartier:columns"] = string(text)
	return all, err
}

// Attribution is a line that a licence asks for.
type Attribution struct {
	Attribution string `json:"attribution"`
	Licence     string `json:"licence"`
	URL         string `json:"url,omitempty"`
}

// Attributions are those of the sources of a release that values of products can be made of, as JSON.
func Attributions(m *schemas.Manifest, products ...string) (string, error) {
	return attributions(feeds.Of(m.Sources, products...))
}

// attributions are those of sources as JSON, each once.
func attributions(sources []schemas.ReleaseSource) (string, error) {
	list := []Attribution{}
	for _, s := range sources {
		if a := (Attribution{s.Attribution, s.Licence, s.URL}); !slices.Contains(list, a) {
			list = append(list, a)
		}
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// Covers reports whether the release covers a point, in degrees.
func (e *Enricher) Covers(lng, lat float64) bool {
	return ValidPoint(lng, lat) && len(e.release.Geographies.RegionsAt(nil, lng, lat)) > 0
}

// Digests are those of the components that are read.
func (e *Enricher) Digests() []string {
	digests := []string{e.release.Digest()}
	if m := e.release.Market; m != nil && slices.Contains(e.choice.Add, "market") {
		digests = append(digests, m.Manifest.Digest)
	}
	if e.release.Private != nil && e.release.Own(e.client.Customer) != nil {
		digests = append(digests, e.release.Private.Manifest.Digest)
	}
	return digests
}

// Client names who the values are for, with the agreement; "" is the operator.
func (e *Enricher) Client() string {
	c := &e.client
	if c.Customer == "" {
		return ""
	}
	return fmt.Sprintf("%s: products %s, scores %s, regions %s", c.Customer, listed(c.Products), listed(c.Scores), listed(c.Regions))
}

// Cells calls visit with the geohashes of 7 characters in which the release has residents or streets, in ascending order,
// until it returns false.
func (e *Enricher) Cells(visit func(geohash string) bool) {
	for i := range e.release.Access.Cells() {
		if !visit(e.release.Access.Cell(i)) {
			return
		}
	}
}
