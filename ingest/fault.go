package ingest

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"quartier/ingest/source"
)

// Fault is something wrong with a region file or one of its sources that is found before any row is read.
type Fault struct {
	File           string // region or release file; "": not of a file
	Line           int    // in File; 0: not known
	Region, Source string // may be ""
	Err            error
}

// Error gives file, line, region and source before the error.
func (f Fault) Error() string {
	var place []string
	if f.File != "" && f.Line > 0 {
		place = append(place, fmt.Sprintf("%s:%d", f.File, f.Line))
	} else if f.File != "" {
		place = append(place, f.File)
	}
	switch {
	case f.Source != "":
		place = append(place, fmt.Sprintf("source %s of region %s", f.Source, f.Region))
	case f.Region != "":
		place = append(place, "region "+f.Region)
	}
	text := strings.TrimPrefix(f.Err.Error(), ErrBadRegion.Error()+": ")
	return strings.Join(append(place, text), ": ")
}

// Faults are all that is wrong with the regions of a release.
type Faults []Fault

// Error lists the faults, each on its own line if there are several.
func (f Faults) Error() string {
	if len(f) == 1 {
		return f[0].Error()
	}
	text := fmt.Sprintf("%d faults were found before any row was read:", len(f))
	for _, fault := range f {
		text += "\n  " + fault.Error()
	}
	return text
}

// Unwrap returns the errors of the faults.
func (f Faults) Unwrap() (errs []error) {
	for _, fault := range f {
		errs = append(errs, fault.Err)
	}
	return errs
}

// Err returns nil if there are no faults, else them sorted by file, line, region and source.
func (f Faults) Err() error {
	if len(f) == 0 {
		return nil
	}
	slices.SortStableFunc(f, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Region, b.Region), cmp.Compare(a.Source, b.Source),
			cmp.Compare(a.Err.Error(), b.Err.Error()))
	})
	return f
}

// add adds a fault of a region, or of one of its sources, at the line of a field of the region file, which may be
// one in another: "extent.box".
func (f *Faults) add(r *Region, s *Source, field string, err error) {
	fault := Fault{File: r.File, Line: lineOf(r.lines, field), Region: r.Name, Err: err}
	if s != nil {
		fault.Source, fault.Line = s.ID, lineOf(s.lines, field)
	}
	*f = append(*f, fault)
}

// addCheck adds the faults that a kind has found in a source: an option's at its line, a missing column's at the line that
// names it, others at that of the path.
func (f *Faults) addCheck(r *Region, s *Source, err error) {
	for _, one := range source.Flatten(err) {
		f.add(r, s, "path", one)
		var option *source.OptionFault
		if errors.As(one, &option) {
			(*f)[len(*f)-1].Line = optionLine(s, option)
		}
		var columns *source.NoColumns
		if errors.As(one, &columns) {
			(*f)[len(*f)-1].Line = columnLine(s, columns.Names)
		}
	}
}

// optionLine returns the line of an option, or of one of its values; that of the source if it is absent.
func optionLine(s *Source, fault *source.OptionFault) int {
	key, value := find(&s.Options, fault.Option)
	switch {
	case key == nil:
		return lineOf(s.lines, "options")
	case fault.Value != "":
		if at := lineOfValue(value, fault.Value); at > 0 {
			return at
		}
	}
	return key.Line
}

// columnLine returns the line of the options that names one of some columns, by itself or in a template; that of the path if
// they are names of the kind's own.
func columnLine(s *Source, columns []string) int {
	for _, form := range []string{"%s", "{%s}"} {
		for _, column := range columns {
			if at := lineOfValue(&s.Options, fmt.Sprintf(form, column)); at > 0 {
				return at
			}
		}
	}
	return lineOf(s.lines, "path")
}

// lineOfValue returns the line of the first scalar with a text; 0 if there is none.
func lineOfValue(node *yaml.Node, text string) int {
	if node.Kind == yaml.ScalarNode && node.Value == text {
		return node.Line
	}
	for _, inner := range node.Content {
		if at := lineOfValue(inner, text); at > 0 {
			return at
		}
	}
	return 0
}

// find returns a key of a mapping and its value; nil if it is absent.
func find(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	if mapping == nil || mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i], mapping.Content[i+1]
		}
	}
	return nil, nil
}

func valueOf(mapping *yaml.Node, name string) *yaml.Node {
	_, value := find(mapping, name)
	return value
}

// lineOf returns the line of a key of a mapping, or that of the mapping if the key is absent; 0 without a mapping. Of a key
// and what is in its value, with a dot between ("extent.box", "complete.library"), it is the line of the latter.
func lineOf(mapping *yaml.Node, path string) int {
	name, inside, _ := strings.Cut(path, ".")
	key, value := find(mapping, name)
	switch {
	case mapping == nil:
		return 0
	case key == nil:
		return mapping.Line
	case inside != "":
		if at := lineOfValue(value, inside); at > 0 {
			return at
		}
	}
	return key.Line
}

var errorLine = regexp.MustCompile(`(?:yaml: )?line (\d+): `)

// faultsOf returns the fault of a file with the line that the error gives.
func faultsOf(file string, err error) Faults {
	fault := Fault{File: file, Err: err}
	if m := errorLine.FindStringSubmatchIndex(err.Error()); m != nil {
		text := err.Error()
		fault.Line, _ = strconv.Atoi(text[m[2]:m[3]]) // digits
		fault.Err = fmt.Errorf("%w: %s", ErrBadRegion, strings.TrimPrefix(text[:m[0]]+text[m[1]:], ErrBadRegion.Error()+": "))
	}
	return Faults{fault}
}

// Failed is the error of a source whose rows cannot be used.
type Failed struct {
	Source, Path string
	Err          error
}

// Error names the source and its file.
func (f *Failed) Error() string { return fmt.Sprintf("source %s (%s): %v", f.Source, f.Path, f.Err) }

// Unwrap returns what is wrong with it.
func (f *Failed) Unwrap() error { return f.Err }
