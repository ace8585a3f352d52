package draft

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"quartier/ingest"
	"quartier/ingest/publishers"
)

// complete sets the id, date, licence and attribution of a source.
func (d *Draft) complete(ctx context.Context, s *Source) {
	base := s.ID
	if base == "" {
		base = dashed(stemOf(s.Path))
	}
	if base == "" {
		base = s.Kind
	}
	s.ID = base
	for n := 2; d.taken(s); n++ {
		s.ID = fmt.Sprintf("%s-%d", base, n)
	}
	s.dated(ctx)
	s.licensed()
	if p := s.sample; p != nil && s.Off == "" {
		if len(p.columns) > 0 {
			s.Facts = append(s.Facts, "columns: "+strings.Join(p.columns[:min(len(p.columns), 12)], ", "))
		}
		if p.crs != "" && len(p.crs) < 40 {
			s.Facts = append(s.Facts, "reference system of the file: "+p.crs)
		}
	}
}

// taken reports whether another source has the id.
func (d *Draft) taken(s *Source) bool {
	for _, other := range d.Sources {
		if other == s {
			return false
		}
		if other.ID == s.ID {
			return true
		}
	}
	return false
}

var (
	datesIn   = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)\d\d)[-_](\d\d)[-_](\d\d)(?:[^0-9]|$)`)
	yearsIn   = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)\d\d)(?:[^0-9]|$)`)
	findersIn = regexp.MustCompile(`ACS_(\d\d)_5YR`)
)

// dated sets the date of the data: that in an extract, else one in the path, else that of the file.
func (s *Source) dated(ctx context.Context) {
	if s.Kind == "osm" {
		if date, err := ingest.ExtractDate(ctx, s.Path); err == nil {
			s.AsOf = date
			return
		}
	}
	end := "-01-01"
	if s.Kind == "acs" {
		end = "-12-31"
	}
	doubt := "as_of by a year in its path: is it the date of the data"
	text := filepath.Base(s.Path) + " " + filepath.Base(filepath.Dir(s.Path))
	if m := findersIn.FindStringSubmatch(text); m != nil {
		s.AsOf = "20" + m[1] + end
		return
	}
	if m := datesIn.FindStringSubmatch(text); m != nil {
		if day := m[1] + "-" + m[2] + "-" + m[3]; isDate(day) {
			s.AsOf = day
		}
	}
	if m := yearsIn.FindStringSubmatch(text); m != nil && s.AsOf == "" {
		s.AsOf = m[1] + end
	}
	if s.AsOf == "" {
		doubt = "as_of is the file's own date, since its path has no year: of when are the data"
		s.AsOf = "1970-01-01"
		if info, err := os.Stat(s.Path); err == nil {
			s.AsOf = info.ModTime().UTC().Format(time.DateOnly)
		}
	}
	s.Doubts = append(s.Doubts, doubt)
}

func isDate(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// licensed sets licence and attribution: those of the publisher whose files have the kind and layout.
func (s *Source) licensed() {
	layout := ""
	for i := 0; i+1 < len(s.Options.content); i += 2 {
		if s.Options.content[i].Value == "layout" {
			layout = s.Options.content[i+1].Value
		}
	}
	if s.Kind == "overpass" {
		s.Licence, s.Attribution = "ODbL-1.0", "© OpenStreetMap contributors"
		return
	}
	for _, p := range publishers.All() {
		for i := range p.Sets {
			set := &p.Sets[i]
			if set.Reads == s.Kind && (layout != "" && layoutOf(set) == layout || layout == "" && layoutOf(set) == "" &&
				strings.Contains(" acs nces osm brands odef overture ", " "+s.Kind+" ")) {
				s.Licence, s.Attribution = set.LicenceText(), set.AttributionText()
				if strings.Contains(s.Attribution, "{") {
					s.Attribution = p.Attribution
				}
				return
			}
		}
		if family, _, found := strings.Cut(layout, "-"); found && (family == "tiger" && p.ID == "census" || family == p.ID) {
			s.Licence, s.Attribution = p.Licence, p.Attribution
		}
	}
	if s.Licence != "" {
		return
	}
	s.Licence, s.Attribution = "not known", "not known"
	s.Doubts = append(s.Doubts, "licence and attribution are not known: whose data are they, and under which terms")
}

func layoutOf(set *publishers.Set) string {
	var o struct {
		Layout string `yaml:"layout"`
	}
	if set.Options.IsZero() || set.Options.Decode(&o) != nil {
		return ""
	}
	return o.Layout
}

// Write writes the region file; paths are relative to base where they can be.
func (d *Draft) Write(w io.Writer, base string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "# A draft from files, by `quartier region draft`. What was not sure is a comment that ends in a question mark: answer\n"+
		"# it, or remove it. Then: quartier region check FILE, and quartier build --region FILE --out out/%s\n", d.Name)
	fmt.Fprintf(&b, "region: %s\ntitle: %s\n", d.Name, scalar(d.Title))
	if d.Country != "" {
		fmt.Fprintf(&b, "country: %s\n", d.Country)
		if d.State != "" {
			fmt.Fprintf(&b, "state: '%s'\n", d.State)
			if !d.StateSure {
				b.WriteString("# state by most of the files; others are in other states: is it?\n")
			}
		} else {
			fmt.Fprintf(&b, "# state: files are in several states, or none has coordinates: is it in one?\n")
		}
	} else {
		fmt.Fprintf(&b, "# country: files are in both countries, or none has coordinates: which one is it?\n")
	}
	b.WriteString("sources:\n")
	for _, s := range d.Sources {
		s.write(&b, base)
	}
	if len(d.Unknown) > 0 {
		b.WriteString("\n# No source was made of:\n")
		for _, text := range d.Unknown {
			fmt.Fprintf(&b, "# - %s\n", oneLine(text))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// write writes a source, as a comment where it is off.
func (s *Source) write(b *strings.Builder, base string) {
	mark := "  "
	if s.Off != "" {
		mark = "  # "
		fmt.Fprintf(b, "  # Not a source yet: %s?\n", strings.TrimSuffix(oneLine(s.Off), "?"))
	}
	path := s.Path
	if rel, err := filepath.Rel(base, s.Path); err == nil {
		path = rel
	}
	for i, line := range [][2]string{{"id", s.ID}, {"kind", s.Kind}, {"path", scalar(path)}, {"as_of", s.AsOf},
		{"licence", scalar(s.Licence)}, {"attribution", scalar(s.Attribution)}} {
		lead := "  "
		if i == 0 {
			lead = "- "
		}
		fmt.Fprintf(b, "%s%s%s: %s\n", mark, lead, line[0], line[1])
	}
	if node := s.Options.node(); !node.IsZero() {
		data, err := yaml.Marshal(node)
		if err == nil {
			fmt.Fprintf(b, "%s  options: %s\n", mark, strings.TrimSpace(string(data)))
		}
	}
	if mark == "  " {
		mark = "    # "
	} else {
		mark = "  #   # "
	}
	for _, fact := range s.Facts {
		fmt.Fprintf(b, "%s%s\n", mark, oneLine(fact))
	}
	for _, doubt := range s.Doubts {
		fmt.Fprintf(b, "%s%s?\n", mark, strings.TrimSuffix(oneLine(doubt), "?"))
	}
}

// oneLine is a text without line breaks.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// scalar is a text in YAML.
func scalar(text string) string {
	data, err := yaml.Marshal(text)
	if err != nil || strings.Contains(strings.TrimSpace(string(data)), "\n") {
		return fmt.Sprintf("%q", text)
	}
	return strings.TrimSpace(string(data))
}
