package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/build/released"
	"quartier/internal/arrowfile"
	"quartier/schemas"
	"quartier/schemas/feeds"
)

// CatalogFile is the file that describes an export: a collection of the SpatioTemporal Asset Catalog (STAC 1.0.0), with the
// extensions table and file.
const CatalogFile = "catalog.json"

// provenance is what an export says of where its rows are from.
type provenance struct {
	manifest *schemas.Manifest
	market   *schemas.MarketManifest // nil if there is none
	box      [4]float64              // of the geographies: west, south, east, north
}

func readProvenance(o *Options) (*provenance, error) {
	p := new(provenance)
	var err error
	if p.manifest, err = schemas.ReadManifest(o.Places); err != nil {
		return nil, err
	}
	if o.Market != "" {
		if p.market, err = schemas.ReadMarketManifest(o.Market); err != nil {
			return nil, err
		}
		if p.market.Places != p.manifest.Digest {
			return nil, fmt.Errorf("%w: the market statistics of %s are of other places than %s", ErrOptions, o.Market, o.Places)
		}
	}
	db, err := released.Open(filepath.Join(o.Places, schemas.GeographiesFile))
	if err != nil {
		return nil, err
	}
	defer db.Close()
	row := db.QueryRow("SELECT coalesce(min(west), -180), coalesce(min(south), -90), coalesce(max(east), 180), coalesce(max(north), 90) " +
		"FROM geography")
	return p, row.Scan(&p.box[0], &p.box[1], &p.box[2], &p.box[3])
}

// sources are those that the rows of tables can be made of, without repetitions of a licence and attribution.
func (p *provenance) sources(tables ...*Table) (list []schemas.ReleaseSource) {
	var products []string
	market := false
	for _, t := range tables {
		products = append(products, t.products()...)
		market = market || t.Component == schemas.Market
	}
	all := feeds.Of(p.manifest.Sources, products...)
	if market && p.market != nil {
		all = slices.Concat(all, p.market.Sources)
	}
	seen := map[[2]string]bool{}
	for _, s := range all {
		if key := [2]string{s.Licence, s.Attribution}; !seen[key] {
			seen[key] = true
			list = append(list, s)
		}
	}
	return list
}

// products are those that are made of the same sources as the rows of a table. Rows of geographies have their names and places.
func (t *Table) products() []string {
	list := slices.Clone(t.Sources)
	switch t.Product {
	case "":
	case nodeProducts:
		list = append(list, "scores", "snapshot")
	default:
		list = append(list, t.Product)
	}
	if t.Owned != "" || t.Level != "" {
		list = append(list, "geographies")
	}
	return list
}

// metadata are the metadata of every file of a table.
func (p *provenance) metadata(t *Table) map[string]string {
	m := p.release()
	if p.market != nil && t.Component == schemas.Market {
		m["quartier:market_digest"], m["quartier:market_as_of"] = p.market.Digest, p.market.AsOf
	}
	var lines []string
	for _, s := range p.sources(t) {
		lines = append(lines, s.Attribution+" ("+s.Licence+")")
	}
	slices.Sort(lines)
	m["quartier:attribution"] = strings.Join(slices.Compact(lines), "\n")
	return m
}

// release says of what release rows are.
func (p *provenance) release() map[string]string {
	m := map[string]string{
		"quartier:release": p.manifest.Release, "quartier:digest": p.manifest.Digest, "quartier:as_of": p.manifest.AsOf,
		"quartier:tool_version": p.manifest.ToolVersion,
	}
	for _, parameter := range p.manifest.Parameters {
		if strings.HasPrefix(parameter.Name, "calibration") {
			m["quartier:"+parameter.Name] = parameter.Value
		}
	}
	return m
}

// collection is a STAC collection.
type collection struct {
	Type        string            `json:"type"`
	Version     string            `json:"stac_version"`
	Extensions  []string          `json:"stac_extensions"`
	ID          string            `json:"id"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Providers   []provider        `json:"providers"`
	Extent      extent            `json:"extent"`
	Links       []link            `json:"links"`
	Assets      map[string]asset  `json:"assets"`
	Release     map[string]string `json:"quartier:release"`
	Agreement   *agreed           `json:"quartier:agreement,omitempty"`
	Left        map[string]string `json:"quartier:left_out,omitempty"` // tables that are not there, with the reason
}

// agreed is the agreement of the customer that the export is for.
type agreed struct {
	Customer string   `json:"customer"`
	Products []string `json:"products"`
	Scores   []string `json:"scores"`
	Regions  []string `json:"regions"` // rows elsewhere are left out; empty: Canada and the United States
}

// attribution is a line that a licence asks for.
type attribution struct {
	Attribution string `json:"attribution"`
	Licence     string `json:"licence"`
	URL         string `json:"url,omitempty"`
}

type provider struct {
	Name        string   `json:"name"` // the attribution that has to be shown
	Description string   `json:"description"`
	Roles       []string `json:"roles"`
	URL         string   `json:"url,omitempty"`
}

type extent struct {
	Spatial struct {
		Boxes [][4]float64 `json:"bbox"`
	} `json:"spatial"`
	Temporal struct {
		Intervals [][2]*string `json:"interval"`
	} `json:"temporal"`
}

type link struct {
	Rel  string `json:"rel"`
	Href string `json:"href"`
	Type string `json:"type"`
}

type asset struct {
	Href        string        `json:"href"`
	Type        string        `json:"type"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Roles       []string      `json:"roles"`
	Size        int64         `json:"file:size"`
	Checksum    string        `json:"file:checksum"` // multihash: 12 20 and the SHA-256
	Rows        int64         `json:"table:row_count"`
	Geometry    string        `json:"table:primary_geometry,omitempty"`
	Columns     []assetColumn `json:"table:columns"`
	Licences    []attribution `json:"quartier:licences"` // of the sources that rows can be made of
}

type assetColumn struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Description string `json:"description"`
}

// mediaTypes are those of the formats.
var mediaTypes = map[string]string{Parquet: "application/vnd.apache.parquet", CSV: "text/csv", FlatGeobuf: "application/vnd.flatgeobuf"}

func (e *exporter) writeCatalog(tables []*Table, files []File) error {
	m := e.sources.manifest
	c := collection{
		Type: "Collection", Version: "1.0.0", ID: m.Release + "-" + m.Digest[:12], Title: "Release " + m.Release + " of " + m.AsOf,
		Extensions: []string{"https://stac-extensions.github.io/file/v2.1.0/schema.json",
			"https://stac-extensions.github.io/table/v1.2.0/schema.json"},
		Description: "Tables of a release of quartier. Providers are the sources with the attribution that each asks for.",
		License:     "various", Links: []link{{"self", "./" + CatalogFile, "application/json"}}, Assets: map[string]asset{},
		Release: e.sources.release(), Left: e.left,
	}
	if a := e.Agreement; a != nil {
		c.Agreement = &agreed{e.Customer, a.Products, a.Scores, append([]string{}, a.Regions...)}
	}
	if market := e.sources.market; market != nil {
		c.Release["quartier:market_digest"], c.Release["quartier:market_as_of"] = market.Digest, market.AsOf
	}
	for _, s := range e.sources.sources(tables...) {
		c.Providers = append(c.Providers, provider{s.Attribution, "licence: " + s.Licence, []string{"producer", "licensor"}, s.URL})
	}
	begin := m.AsOf + "T00:00:00Z"
	c.Extent.Spatial.Boxes = [][4]float64{e.sources.box}
	c.Extent.Temporal.Intervals = [][2]*string{{&begin, &begin}}
	for _, f := range files {
		c.Assets[strings.TrimSuffix(f.Name, extensions[e.Format])] = e.asset(&f)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(c); err != nil {
		return err
	}
	path := filepath.Join(e.Out, CatalogFile)
	if err := os.WriteFile(path+".tmp", text.Bytes(), 0o644); err != nil {
		os.Remove(path + ".tmp")
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(path+".tmp", path)
}

func (e *exporter) asset(f *File) asset {
	t := f.table
	a := asset{
		Href: "./" + f.Name, Type: mediaTypes[e.Format], Title: t.Title, Description: t.Text, Roles: []string{"data"},
		Size: f.Bytes, Checksum: "1220" + f.Sum, Rows: f.Rows,
	}
	for _, s := range e.sources.sources(t) {
		a.Licences = append(a.Licences, attribution{s.Attribution, s.Licence, s.URL})
	}
	for _, c := range t.Columns {
		a.Columns = append(a.Columns, assetColumn{c.Name, c.Type, c.Text})
	}
	if t.Geometry != "" {
		a.Geometry = GeometryColumn
		a.Columns = append(a.Columns, assetColumn{GeometryColumn, geometryColumn.Type.Name, geometryColumn.Text.EN})
	}
	return a
}

// sumOf is the SHA-256 of a file and its size.
func sumOf(path string) (string, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	sum := sha256.New()
	n, err := io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), n, err
}

// removeCatalogued removes the catalog of a folder, if there is one, and the files that it names.
func removeCatalogued(folder string) error {
	path := filepath.Join(folder, CatalogFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var c collection
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	for _, a := range c.Assets {
		name := filepath.FromSlash(strings.TrimPrefix(a.Href, "./"))
		if !filepath.IsLocal(name) {
			return fmt.Errorf("%s names %s, which is not in its folder", path, a.Href)
		}
		for _, file := range []string{name, arrowfile.DescriptionOf(name)} {
			if err := os.Remove(filepath.Join(folder, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return os.Remove(path)
}
