// Package regionfile writes region files: all that publishers have of a place, from the catalogue of package publishers and the
// publishers' own lists, with what will lack and why before anything is downloaded; and it finds newer vintages of the sources
// of a region file.
package regionfile

import (
	"context"
	"fmt"
	"maps"
	"math"
	"net/url"
	"path"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"quartier/ingest"
	"quartier/ingest/publishers"
	"quartier/ingest/publishers/place"
)

// Look asks publishers. fetch.Peek does.
type Look struct {
	// Get gets a small file, of at most so many bytes.
	Get func(ctx context.Context, url string, most int64) ([]byte, error)
	// Has reports whether a file is there, and its size, 0: not known. An error says that it is not known.
	Has func(ctx context.Context, url string) (there bool, size int64, err error)
}

// Entry is a source of a region file that is made.
type Entry struct {
	ID, Kind, URL, File, Page, AsOf, Licence, Attribution string

	With    string // id of the source that completes it; "": none
	Options *yaml.Node
	Set     *publishers.Set
	MB      float64 // usual size in millions of bytes; 0: not known
	Title   string
	Off     string // why it is written as a comment; "": it is a source
}

// Recipe is what a region file is made of.
type Recipe struct {
	Place   *place.Place
	Entries []Entry
	Unused  []*publishers.Set // data sets that no kind reads, or that a region file does not have by itself
	Gaps    []string          // what lacks or is not known, by publisher, each a sentence
	values  map[string]string // of the place
}

// New makes the recipe of a place. day is the as-of date of what publishers change every day, YYYY-MM-DD. A publisher's list
// that cannot be had is a gap and no error, except that of ctx.
func New(ctx context.Context, p *place.Place, day string, look Look) (*Recipe, error) {
	r := &Recipe{Place: p, values: map[string]string{"day": day}}
	b := p.Box
	for name, v := range map[string]float64{"west": b.Min[0], "south": b.Min[1], "east": b.Max[0], "north": b.Max[1]} {
		r.values[name] = strings.TrimSuffix(fmt.Sprintf("%.2f", v), ".00")
	}
	r.values["box"] = place.BoxText(b)
	r.values["countries"] = strings.Join(p.Countries(), ",")
	var sets []*publishers.Set
	for _, country := range p.Countries() {
		for _, s := range publishers.Sets(country) {
			if !slices.Contains(sets, s) {
				sets = append(sets, s)
			}
		}
	}
	for _, s := range sets {
		if err := r.add(ctx, s, look); err != nil {
			return nil, err
		}
	}
	return r, ctx.Err()
}

// add adds the sources of a data set.
func (r *Recipe) add(ctx context.Context, s *publishers.Set, look Look) error {
	states := slices.DeleteFunc(slices.Clone(r.Place.States), func(t place.State) bool {
		return s.Publisher.Country != "" && t.Country != s.Publisher.Country
	})
	there := slices.DeleteFunc(slices.Clone(states), func(t place.State) bool { return !s.In(t.Code) })
	for _, t := range states {
		if !s.In(t.Code) && s.Reads != publishers.None {
			r.Gaps = append(r.Gaps, fmt.Sprintf("%s lacks %s: %s", t.Name.EN, s.Title, s.WhyExcept))
		}
	}
	switch {
	case len(there) == 0:
		return nil
	case s.Reads == publishers.None || s.Unused != "":
		r.Unused = append(r.Unused, s)
		return nil
	case s.Index == "overture":
		return r.overture(ctx, s, look)
	case s.Index == "mobility":
		return r.mobility(ctx, s, look)
	case s.Index == "geofabrik":
		return r.geofabrik(ctx, s, there, look)
	}
	first := len(r.Entries)
	if err := r.files(s, there); err != nil || s.Tiles == "" {
		return err
	}
	return r.onLand(ctx, s, first, look)
}

// onLand removes the tiles from first on that the publisher does not have, since they are wholly at sea.
func (r *Recipe) onLand(ctx context.Context, s *publishers.Set, first int, look Look) error {
	kept, unknown, found := r.Entries[:first:first], 0, 0
	for _, e := range r.Entries[first:] {
		there, size, err := look.Has(ctx, e.URL)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			unknown++
		case !there:
			continue
		case size > 0:
			e.MB = float64(size) / 1e6
		}
		if err == nil {
			found++
		}
		kept = append(kept, e)
	}
	if found == 0 { // nobody has a place without land: a mirror lacks them, or nobody answers
		kept, unknown = r.Entries, len(r.Entries)-first
	}
	if unknown > 0 {
		r.Gaps = append(r.Gaps, fmt.Sprintf("%s: whether %d of its tiles exist is not known, since %s was not asked or did not answer; remove "+
			"those of which fetch says that they are not there, as tiles at sea are not", s.Title, unknown, s.Publisher.Name))
	}
	r.Entries = kept
	return nil
}

// files adds a source for each file of a data set: of states, tables, tiles and countries.
func (r *Recipe) files(s *publishers.Set, states []place.State) error {
	first := len(r.Entries)
	for _, values := range r.perState(s, states) {
		for _, names := range r.perFile(s) {
			all := maps.Clone(values)
			maps.Copy(all, names)
			if !slices.ContainsFunc(r.Entries[first:], func(e Entry) bool { return e.URL == publishers.Expand(s.URL, all) }) {
				if err := r.entry(s, all, values["suffix"]+names["suffix"]); err != nil {
					return err
				}
			}
		}
	}
	total := 0.0
	for _, e := range r.Entries[first:] {
		total += e.MB
	}
	if s.MostMB > 0 && total > s.MostMB {
		why := fmt.Sprintf("%d files of about %.1f GB together; uncomment them for %s", len(r.Entries[first:]), total/1000, s.Title)
		for i := range r.Entries[first:] {
			r.Entries[first+i].Off = why
		}
		r.Gaps = append(r.Gaps, s.Title+" lacks until its sources are uncommented: "+why)
	}
	return nil
}

// perState are the variables of each state of a data set with a file for each, or of all states together.
func (r *Recipe) perState(s *publishers.Set, states []place.State) (list []map[string]string) {
	all := r.stateValues(states)
	if !slices.ContainsFunc([]string{"fips", "st", "state", "state_name", "geono", "extract"}, s.Uses) {
		return append(list, all)
	}
	for _, t := range states {
		if s.Uses("geono") && t.Profile == "" || s.Uses("extract") && t.Extract == "" {
			r.Gaps = append(r.Gaps, t.Name.EN+" lacks "+s.Title+": "+s.Publisher.Name+" has none")
			continue
		}
		values := r.stateValues([]place.State{t})
		if len(states) > 1 {
			values["suffix"] = "-" + strings.ToLower(t.Code)
		}
		list = append(list, values)
	}
	return list
}

// stateValues are the variables of states; those of one state are the first one's.
func (r *Recipe) stateValues(states []place.State) map[string]string {
	values := maps.Clone(r.values)
	var codes, fips, pruids []string
	for _, t := range states {
		codes = append(codes, t.Code)
		fips, pruids = append(fips, t.FIPS), append(pruids, t.PRUID)
	}
	t := states[0]
	maps.Copy(values, map[string]string{"states": strings.Join(codes, ","), "fipses": strings.Join(fips, ","),
		"pruids": strings.Join(pruids, ","), "state": t.Code, "st": strings.ToLower(t.Code), "fips": t.FIPS, "pruid": t.PRUID,
		"geono": t.Profile, "extract": t.Extract, "state_name": strings.ReplaceAll(t.Name.EN, " ", "_"), "suffix": ""})
	return values
}

// perFile are the variables of each file of a data set in a state.
func (r *Recipe) perFile(s *publishers.Set) (list []map[string]string) {
	switch {
	case s.PerTable:
		for _, table := range s.Tables {
			list = append(list, map[string]string{"table": table, "suffix": "-" + table})
		}
	case s.PerCountry:
		for _, country := range r.Place.Countries() {
			list = append(list, map[string]string{"country": country, "suffix": "-" + strings.ToLower(country)})
		}
	case s.Tiles != "":
		for _, tile := range publishers.Tiles[s.Tiles].In(r.Place.Box) {
			if r.Place.Has(tile.Box) {
				list = append(list, map[string]string{"tile": tile.Name, "suffix": "-" + strings.ToLower(tile.Name)})
			}
		}
	default:
		list = append(list, map[string]string{})
	}
	return list
}

// entry adds a source of a data set with the variables of its file.
func (r *Recipe) entry(s *publishers.Set, values map[string]string, suffix string) error {
	values["year"], values["theme"], values["kind_of"] = fmt.Sprint(s.Year), s.Theme, s.KindOf
	values["TABLE"] = strings.ToUpper(values["table"])
	if s.Publisher.Country != "" && len(r.Place.Countries()) > 1 {
		suffix = "-" + strings.ToLower(s.Publisher.Country) + suffix
	}
	asOf := s.AsOf
	if v := s.Newest(); v != nil {
		values["name"], asOf = v.Name, v.AsOf
	}
	options, err := r.options(s, values)
	if err != nil {
		return fmt.Errorf("options of %s: %w", s.ID, err)
	}
	expand := func(text string) string { return publishers.Expand(text, values) }
	e := Entry{ID: s.ID + suffix, Kind: s.Reads, URL: expand(s.URL), File: expand(s.File), Page: s.PageText(), AsOf: expand(asOf),
		Licence: s.LicenceText(), Attribution: expand(s.AttributionText()), Options: options, Set: s, MB: s.MB, Title: expand(s.Title)}
	if by := s.With[values["table"]]; by != "" {
		e.With = s.ID + strings.TrimSuffix(suffix, values["table"]) + by
	}
	if e.File == "" {
		e.File = fileOf(e.URL, s.Type)
	}
	if e.File == fileOf(e.URL, "") {
		e.File = ""
	}
	r.Entries = append(r.Entries, e)
	return nil
}

// fileOf is the name of the file of an address, with the extension of its type where it has another one.
func fileOf(address, kind string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	name := path.Base(u.Path)
	if kind == "zip" && !strings.HasSuffix(strings.ToLower(name), ".zip") {
		return name + ".zip"
	}
	return name
}

// options are those of a data set, with the box where only a part of its files is in the place.
func (r *Recipe) options(s *publishers.Set, values map[string]string) (*yaml.Node, error) {
	options, err := s.OptionsOf(values)
	if err != nil || s.Whole || r.Place.Whole && !s.AlwaysBox || !boxed(s.Reads) {
		return options, err
	}
	if options.IsZero() {
		*options = yaml.Node{Kind: yaml.MappingNode, Style: yaml.FlowStyle}
	}
	options.Content = append(options.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: "bbox"},
		publishers.List(strings.Split(values["box"], ","), true))
	return options, nil
}

// boxed reports whether a kind has the option bbox.
func boxed(kind string) bool {
	k, known := ingest.KindOf(kind)
	return known && hasOption(reflect.TypeOf(k.Info().Options), "bbox")
}

func hasOption(t reflect.Type, name string) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		tag, rest, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if tag == name || strings.Contains(rest, "inline") && hasOption(f.Type, name) {
			return true
		}
	}
	return false
}

// Bytes is the usual size of all sources, each file once, in millions of bytes, and how many are not known.
func (r *Recipe) Bytes() (mb float64, unknown int) {
	seen := map[string]bool{}
	for _, e := range r.Entries {
		if e.Off != "" || seen[e.URL] {
			continue
		}
		if seen[e.URL] = true; e.MB == 0 {
			unknown++
		}
		mb += e.MB
	}
	return math.Round(mb*10) / 10, unknown
}

// sizeText is a size in words.
func sizeText(mb float64) string {
	switch {
	case mb == 0:
		return "size not known"
	case mb >= 1000:
		return fmt.Sprintf("%.1f GB", mb/1000)
	}
	return fmt.Sprintf("%.3g MB", mb)
}
