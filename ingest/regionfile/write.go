package regionfile

import (
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"quartier/ingest/publishers"
)

// Write writes the region file. Its head says what it will give and what lacks; command is what made it.
func (r *Recipe) Write(w io.Writer, command string) error {
	p := &printer{w: w, prefix: "# "}
	p.wrapped("", "", r.Place.Title+", by `"+command+"`: what public sources have. Sizes are usual ones. The first fetch pins what it got in "+
		"a lock beside this file; then build:")
	p.line("  quartier fetch --region FILE --pin")
	p.line("  quartier build --region FILE --out out/%s", r.Place.Name)
	p.line("")
	p.sums(r.Items())
	p.line("")
	p.expected(r.Items())
	p.gaps(r.Gaps)
	p.prefix = ""
	r.head(p)
	publisher := ""
	for i := range r.Entries {
		e := &r.Entries[i]
		if id := e.Set.Publisher.ID; id != publisher {
			publisher = id
			p.publisher(e.Set.Publisher)
		}
		p.about(e, i == 0 || r.Entries[i-1].Set != e.Set)
		p.entry(e)
	}
	r.unused(p)
	return p.err
}

// head prints what is said of the region as a whole.
func (r *Recipe) head(p *printer) {
	p.line("region: %s", r.Place.Name)
	p.line("title: %s", scalar(r.Place.Title))
	if countries := r.Place.Countries(); len(countries) == 1 {
		p.line("country: %s", countries[0])
		if len(r.Place.States) == 1 {
			p.line("state: '%s'", r.Place.States[0].Code)
		}
	}
	p.line("# accept_collapsed: {nightlife: few towns have a bar} # where a build says that a scale is collapsed, and you know why")
	p.line("sources:")
}

// publisher prints who publishes the sources that follow, and how it refuses.
func (p *printer) publisher(of *publishers.Publisher) {
	p.line("")
	p.prefix = "  # "
	p.wrapped("", "  ", of.Name+". To know: "+of.Refuses+".")
	p.prefix = ""
}

// about prints what a source is; of several of one data set the size and the cadence once.
func (p *printer) about(e *Entry, first bool) {
	p.prefix = "  # "
	switch gives := strings.Join(has(e.Kind, e.Options), ", "); {
	case first && e.Set.Size != "":
		p.wrapped("", "  ", fmt.Sprintf("%s: %s; %s; %s", e.Title, gives, e.Set.Size, e.Set.Cadence))
	case first:
		p.wrapped("", "  ", fmt.Sprintf("%s: %s; %s; %s", e.Title, gives, sizeText(e.MB), e.Set.Cadence))
	case e.Title != e.Set.Title:
		p.wrapped("", "  ", e.Title)
	}
	p.prefix = ""
}

// entry prints a source, or a comment that becomes one without its marks.
func (p *printer) entry(e *Entry) {
	if p.prefix = "  "; e.Off != "" {
		p.prefix = "  # "
	}
	p.line("- id: %s", e.ID)
	for _, field := range [][2]string{{"kind", e.Kind}, {"url", e.URL}, {"file", e.File}, {"page", e.Page}, {"as_of", e.AsOf},
		{"licence", e.Licence}, {"attribution", e.Attribution}} {
		if field[1] != "" {
			value := scalar(field[1])
			if field[0] == "as_of" {
				value = field[1]
			}
			p.line("  %s: %s", field[0], value)
		}
	}
	if e.With != "" {
		p.line("  with: [%s]", e.With)
	}
	if !e.Options.IsZero() {
		p.line("  options: %s", flow(e.Options))
	}
	p.prefix = ""
}

// unused prints the data sets without a source, as comments.
func (r *Recipe) unused(p *printer) {
	if len(r.Unused) == 0 {
		return
	}
	values := r.stateValues(r.Place.States)
	p.line("")
	p.prefix = "  # "
	p.line("Published too, and not used:")
	for _, s := range r.Unused {
		why := s.Unused
		if s.Reads == publishers.None {
			why = "quartier lacks a kind of source that reads it"
		}
		values["year"], values["theme"], values["kind_of"] = fmt.Sprint(s.Year), s.Theme, s.KindOf
		if v := s.Newest(); v != nil {
			values["name"] = v.Name
		}
		values["state"] = codeOf(r, s)
		p.wrapped("- ", "  ", s.Title+": "+publishers.Expand(why, values)+". "+publishers.Expand(s.URL, values)+" ("+s.PageText()+")")
	}
	p.prefix = ""
}

// codeOf is the code of the first state of the place that is in the country of a data set.
func codeOf(r *Recipe, s *publishers.Set) string {
	for _, t := range r.Place.States {
		if s.Publisher.Country == "" || s.Publisher.Country == t.Country {
			return t.Code
		}
	}
	return ""
}

// scalar is a text in YAML.
func scalar(text string) string {
	data, err := yaml.Marshal(text)
	if err != nil || strings.Contains(strings.TrimSpace(string(data)), "\n") {
		return fmt.Sprintf("%q", text)
	}
	return strings.TrimSpace(string(data))
}

// flow is a value in YAML on one line.
func flow(node *yaml.Node) string {
	n := *node
	n.Style = yaml.FlowStyle
	data, err := yaml.Marshal(&n)
	if err != nil {
		return "{}"
	}
	return strings.TrimSpace(string(data))
}
