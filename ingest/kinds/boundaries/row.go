package boundaries

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"quartier/ingest/formats/overturenames"
	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// row converts a feature to a boundary, which the sink checks, or returns why it cannot be staged. Removed values are
// counted as issues.
func (o Options) row(f vector.Feature, out source.Sink) (b source.Boundary, why reason.Reason) {
	b = source.Boundary{Level: o.level(f), Country: o.Country, State: o.State}
	b.NameEN, b.NameFR = o.names(f)
	if o.Overture {
		names := overturenames.Of(f.Attributes)
		b.Names = append(names.Further(), source.FurtherName{Name: names.Primary, Kind: "alternate"})
	}
	if code := strings.ToUpper(f.Value(o.CountryFrom)); slices.Contains(schemas.Countries, code) {
		b.Country = code
	}
	if b.Country != "" && b.Level == schemas.Country && b.NameFR == "" {
		b.NameFR = schemas.CountryName(b.Country).FR
	}
	if !f.Fault.OK() {
		return b, f.Fault
	}
	if b.Geometry = vector.Outline(f.Geometry); len(b.Geometry) == 0 {
		return b, source.MissingGeometry
	}
	key := f.Text(o.Key, o.KeyText)
	if key == "" {
		return b, source.MissingKey
	}
	here := f.Where(b.NameEN)
	b.Key = o.Scheme + ":" + key
	o.setState(&b, f, out, here)
	b.Population = o.population(f, out, here)
	for _, attribute := range o.Names {
		for _, name := range strings.FieldsFunc(f.Attributes[attribute], func(r rune) bool { return r == ';' || r == ',' }) {
			b.Names = append(b.Names, source.FurtherName{Name: name, Kind: "alternate"})
		}
	}
	return b, why
}

// level returns the level of a feature; 0 where its kind has none, or another one than the option level.
func (o Options) level(f vector.Feature) schemas.Level {
	if o.LevelFrom == nil {
		return o.Level
	}
	level := o.Levels[f.Text(o.LevelFrom, "")]
	if o.Level != 0 && level != o.Level {
		return 0
	}
	return level
}

// names returns the English and the French name.
func (o Options) names(f vector.Feature) (en, fr string) {
	if o.Overture {
		n := overturenames.Of(f.Attributes)
		return cmp.Or(n.Common["en"], n.Best()), n.Common["fr"]
	}
	en, fr = f.Text(o.Name, o.NameText), f.Text(o.NameFR, o.NameFRText)
	if o.Bilingual != "" {
		if english, french, both := strings.Cut(en, o.Bilingual); both {
			en = english
			if fr == "" {
				fr = french
			}
		}
	}
	return en, fr
}

// setState sets the state and the country that it is in, and the French name of a state.
func (o Options) setState(b *source.Boundary, f vector.Feature, out source.Sink, here string) {
	if code := f.Text(o.StateFrom, ""); code != "" {
		state, known := stateOf(b.Country, code)
		if !known {
			out.Issue(stateRemoved, here+" "+code)
			return
		}
		b.Country, b.State = state.Country, state.Code
	}
	if b.Level != schemas.State || b.State == "" || b.NameFR != "" {
		return
	}
	if name, known := schemas.StateName(b.Country, b.State); known {
		b.NameFR = name.FR
	}
}

// stateOf finds a state by postal code, ISO code, FIPS code or PRUID, in the given country where it is not "".
func stateOf(country, code string) (schemas.StateEntry, bool) {
	if of, rest, iso := strings.Cut(code, "-"); iso && slices.Contains(schemas.Countries, of) && (country == "" || country == of) {
		return schemas.FindState(of, rest)
	}
	for _, c := range []string{"CA", "US"} {
		if state, known := schemas.FindState(c, code); known && (country == "" || country == c) {
			return state, true
		}
	}
	if state, known := schemas.StateByFIPS(code); known && country != "CA" {
		return state, true
	}
	state, known := schemas.StateByPRUID(code)
	return state, known && country != "US"
}

// population parses the number of people; an invalid one is removed.
func (o Options) population(f vector.Feature, out source.Sink, here string) *int64 {
	given := f.Attributes[o.Population]
	if o.Population == "" || given == "" {
		return nil
	}
	people, err := strconv.ParseInt(strings.ReplaceAll(given, ",", ""), 10, 64)
	if err != nil || people < 0 {
		out.Issue(source.PopulationRemoved, here+" "+given)
		return nil
	}
	return &people
}
