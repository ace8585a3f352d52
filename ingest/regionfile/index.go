package regionfile

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"quartier/ingest/publishers"
	"quartier/ingest/publishers/place"
	"quartier/ingest/source"
)

// The lists of publishers, and the largest that is read of each.
const (
	geofabrikIndex = "https://download.geofabrik.de/index-v1-nogeom.json"
	mobilityIndex  = "https://files.mobilitydatabase.org/feeds_v2.csv"
	overtureIndex  = "https://stac.overturemaps.org/catalog.json"
	mostIndex      = 64 << 20
)

// unreached adds a gap for a list that cannot be had. The error is that of ctx.
func (r *Recipe) unreached(ctx context.Context, err error, format string, args ...any) error {
	r.Gaps = append(r.Gaps, fmt.Sprintf(format, args...)+": "+err.Error())
	return ctx.Err()
}

// geofabrik adds the extract of each state, with the address that Geofabrik's index has, or by the rule where it cannot be had.
func (r *Recipe) geofabrik(ctx context.Context, s *publishers.Set, states []place.State, look Look) error {
	var index struct {
		Features []struct {
			Properties struct {
				Codes []string `json:"iso3166-2"`
				URLs  struct {
					PBF string `json:"pbf"`
				} `json:"urls"`
			} `json:"properties"`
		} `json:"features"`
	}
	data, err := look.Get(ctx, geofabrikIndex, mostIndex)
	if err == nil {
		err = json.Unmarshal(data, &index)
	}
	if err != nil {
		if err := r.unreached(ctx, err, "whether Geofabrik has the extract is not known, since its index did not answer; its address is by the "+
			"rule of names"); err != nil {
			return err
		}
	}
	first := len(r.Entries)
	if err := r.files(s, states); err != nil {
		return err
	}
	for i := range r.Entries[first:] {
		e := &r.Entries[first+i]
		for _, t := range states {
			for _, f := range index.Features {
				if p := f.Properties; strings.Contains(e.URL, t.Extract+"-latest") && len(p.Codes) == 1 && p.Codes[0] == t.Country+"-"+t.Code &&
					p.URLs.PBF != "" {
					e.URL = p.URLs.PBF
				}
			}
		}
	}
	return nil
}

// overture adds what the newest release has of a type in the box of the place.
func (r *Recipe) overture(ctx context.Context, s *publishers.Set, look Look) error {
	release, err := latestRelease(ctx, look)
	if err != nil {
		return r.unreached(ctx, err, "%s lacks: Overture's catalogue did not answer; make the region file again, or take the addresses from %s",
			s.Title, s.PageText())
	}
	values := r.stateValues(r.Place.States)
	maps.Copy(values, map[string]string{"release": release, "release_day": firstOf(release, 10)})
	return r.entry(s, values, "")
}

// latestRelease is the name of the newest release of Overture.
func latestRelease(ctx context.Context, look Look) (string, error) {
	var catalog struct {
		Latest string `json:"latest"`
	}
	data, err := look.Get(ctx, overtureIndex, mostIndex)
	if err == nil {
		err = json.Unmarshal(data, &catalog)
	}
	if err == nil && catalog.Latest == "" {
		err = errors.New("it names no latest release")
	}
	return catalog.Latest, err
}

func boundOf(b []float64) orb.Bound {
	return orb.Bound{Min: orb.Point{b[0], b[1]}, Max: orb.Point{b[2], b[3]}}
}

func firstOf(text string, n int) string { return text[:min(len(text), n)] }

// feed is a row of the Mobility Database, by the names of its columns.
type feed map[string]string

// dead reports whether a feed is not in use, or asks for a key.
func (f feed) dead() bool {
	status, auth := strings.TrimSpace(f["status"]), strings.TrimSpace(f["urls.authentication_type"])
	return status == "deprecated" || status == "inactive" || auth != "" && auth != "0" || f.address() == ""
}

func (f feed) address() string {
	for _, address := range []string{f["urls.latest"], f["urls.direct_download"]} {
		open := !strings.Contains(address, "REMOVED") && source.PublicURL(address) == address // nothing in it gives access
		if strings.HasPrefix(address, "http") && open {
			return address
		}
	}
	return ""
}

// box is where the feed's stops are; false where it is not known.
func (f feed) box() (orb.Bound, bool) {
	var b [4]float64
	for i, name := range []string{"minimum_longitude", "minimum_latitude", "maximum_longitude", "maximum_latitude"} {
		v, err := strconv.ParseFloat(f["location.bounding_box."+name], 64)
		if err != nil {
			return orb.Bound{}, false
		}
		b[i] = v
	}
	return boundOf(b[:]), b[0] < b[2] && b[1] < b[3]
}

// in reports whether a feed is in a place: by its box, else by the name of its state where the place is a state.
func (f feed) in(p *place.Place) bool {
	if !slices.Contains(p.Countries(), strings.TrimSpace(f["location.country_code"])) {
		return false
	}
	if box, known := f.box(); known {
		return p.Has(box)
	}
	name := strings.TrimSpace(f["location.subdivision_name"])
	return p.Whole && name != "" && (name == p.States[0].Name.EN || name == p.States[0].Name.FR)
}

// mobility adds the timetables of the place.
func (r *Recipe) mobility(ctx context.Context, s *publishers.Set, look Look) error {
	data, err := look.Get(ctx, mobilityIndex, mostIndex)
	var feeds []feed
	if err == nil {
		feeds, err = readFeeds(data)
	}
	if err != nil {
		return r.unreached(ctx, err, "timetables lack: the Mobility Database did not answer; make the region file again, or add the agencies' "+
			"feeds (kind gtfs) from %s", s.PageText())
	}
	byID := map[string]feed{}
	for _, f := range feeds {
		byID[f["id"]] = f
	}
	taken := map[string]bool{}
	for _, f := range feeds {
		here := f.in(r.Place)
		for range 5 { // what took the place of a feed is where it was
			if next := byID[strings.TrimSpace(f["redirect.id"])]; f.dead() && next != nil {
				f = next
			}
		}
		if !here || f.dead() || taken[f.address()] {
			continue
		}
		taken[f.address()] = true
		if err := r.timetable(s, f); err != nil {
			return err
		}
	}
	if len(taken) == 0 {
		r.Gaps = append(r.Gaps, "timetables lack: the Mobility Database has none of the place that is in use and open to all")
	}
	return nil
}

// timetable adds a feed.
func (r *Recipe) timetable(s *publishers.Set, f feed) error {
	values := maps.Clone(r.values)
	values["feed"] = f["id"]
	if err := r.entry(s, values, "-"+strings.ToLower(f["id"])); err != nil {
		return err
	}
	e := &r.Entries[len(r.Entries)-1]
	e.URL = f.address()
	switch e.File = fileOf(e.URL, "zip"); e.File {
	case "latest.zip": // by its name alone nobody knows whose it is
		e.File = f["id"] + ".zip"
	case fileOf(e.URL, ""):
		e.File = ""
	}
	e.Attribution = cmp.Or(strings.TrimSpace(f["provider"]), "not known")
	e.Title = "timetable of " + e.Attribution
	if name := strings.TrimSpace(f["name"]); name != "" {
		e.Title += " (" + name + ")"
	}
	e.Licence = cmp.Or(strings.TrimSpace(f["urls.license"]), "not known: ask the agency before you publish")
	return nil
}

// feedID matches the ids that can be part of the id of a source.
var feedID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,40}$`)

// readFeeds reads the timetables of the list.
func readFeeds(data []byte) (list []feed, err error) {
	rows := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	rows.FieldsPerRecord, rows.LazyQuotes = -1, true
	header, err := rows.Read()
	if err != nil || !slices.Contains(header, "data_type") || !slices.Contains(header, "urls.latest") {
		return nil, errors.Join(errors.New("what came is not its list of feeds"), err)
	}
	for {
		row, err := rows.Read()
		if err == io.EOF {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		f := feed{}
		for i, name := range header[:min(len(header), len(row))] {
			f[name] = row[i]
		}
		if f["data_type"] == "gtfs" && feedID.MatchString(f["id"]) {
			list = append(list, f)
		}
	}
}
