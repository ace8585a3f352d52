package addresses

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	codes "quartier/ingest/address"
	"quartier/ingest/formats/vector"
	"quartier/ingest/kinds/roads"
	"quartier/ingest/source"
	"quartier/internal/address"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// address returns the address of a row at a point, or why it has none.
func (o *Options) address(in source.Input, raw func(string) string, at orb.Point) (source.Row, reason.Reason) {
	value := o.values(raw)
	a := source.Address{Number: o.number(value), Street: o.street(value), Unit: o.text("unit", o.Unit, value), Lng: at[0], Lat: at[1],
		Accuracy: o.accuracyOf(value)}
	if why := o.place(in, value, &a.City, &a.StateCode); !why.OK() {
		return nil, why
	}
	a.OtherCity = o.text("", o.OtherCity, value)
	a.PostalCode = codes.PostalCode(strings.ReplaceAll(o.text("postal_code", o.Postal, value), ",", ""))
	read := address.Columns{Number: a.Number, Street: a.Street, Unit: a.Unit}.Read()
	switch {
	case !named(a.Street):
		return nil, noStreet
	case read.Kind == address.Box:
		return nil, noPlace
	case a.Number == "":
		return nil, noNumber
	case address.ReadNumber(a.Number) == (address.Number{}):
		return nil, invalidNumber
	}
	return a, reason.Reason{}
}

// unnamed are words in the place of a street's name, folded. With a type they are one: Unknown Rd.
var unnamed = []string{"unknown", "unnamed", "n a", "none", "tbd", "no name", "inconnu", "inconnue", "sans nom"}

// named reports whether a street has a name.
func named(street string) bool {
	return address.ReadStreet(street).Name != "" && !slices.Contains(unnamed, address.Fold(street))
}

// place sets the town and the state of a row, or returns why it is skipped.
func (o *Options) place(in source.Input, value func(string) string, city, state *string) reason.Reason {
	if country := o.text("country", o.Country, value); country != "" && codes.Country(country) == "" {
		return source.OtherCountry
	}
	*city, *state = o.text("city", o.City, value), stateOf(o.text("state", o.State, value), in.Country)
	return reason.Reason{}
}

// stateOf is the code of a state by its code, name or number in a country; "" if it is not known.
func stateOf(text, country string) string {
	of := schemas.StateByPRUID
	if country == "US" {
		of = schemas.StateByFIPS
	}
	if s, known := of(text); known {
		return s.Code
	}
	return codes.State(text)
}

// Numbers in parts: a letter apart, and halves as decimals.
var (
	letterApart = regexp.MustCompile(`^(\d+) ([A-Za-z])$`)
	decimal     = regexp.MustCompile(`^(\d+)\.(0|5)0*$`)
)

// number is the house number of a row: 221B of 221 and B, 12 1/2 of 12.5.
func (o *Options) number(value func(string) string) string {
	text := letterApart.ReplaceAllString(o.text("house_number", o.Number, value), "$1$2")
	if parts := decimal.FindStringSubmatch(text); parts != nil {
		text = parts[1]
		if parts[2] == "5" {
			text += " 1/2"
		}
	}
	return text
}

// street is the street of a row with type and direction.
func (o *Options) street(value func(string) string) string {
	name, kind := o.text("street", o.Street, value), o.text("", o.StreetType, value)
	first, last := name, kind
	if roads.Leads(strings.ToUpper(kind), name) {
		first, last = kind, name
	}
	if name == "" {
		return ""
	}
	return strings.Join(strings.Fields(first+" "+last+" "+o.text("", o.StreetDirection, value)), " ")
}

// accuracyOf says what the point of a row is.
func (o *Options) accuracyOf(value func(string) string) string {
	return cmp.Or(accuracy(o.Accuracies[o.text("", o.AccuracyOf, value)]), o.Accuracy, "parcel")
}

// accuracy is a word for an accuracy; "" for other texts.
func accuracy(text string) string {
	if slices.Contains(schemas.AddressAccuracies, text) {
		return text
	}
	return ""
}

// ranges returns the ranges of both sides of a line.
func (o *Options) ranges(r vector.Record) (source.Row, reason.Reason) {
	lines, value := linesOf(r.Geometry), o.values(r.Value)
	switch {
	case r.Geometry == nil:
		return nil, source.MissingGeometry
	case len(lines) != 1:
		return nil, source.WrongGeometryType
	}
	side := source.AddressRange{}
	side.Street = o.street(value)
	if !named(side.Street) {
		return nil, noStreet
	}
	if why := o.place(r.In, value, &side.City, &side.StateCode); !why.OK() {
		return nil, why
	}
	var rows source.Rows
	for _, names := range [2][3]string{{o.LeftFrom, o.LeftTo, o.LeftParity}, {o.RightFrom, o.RightTo, o.RightParity}} {
		from, to := value(names[0]), value(names[1])
		if from == "" || to == "" || from == "0" && to == "0" {
			continue
		}
		if !numbers(&side, from, to, value(names[2])) {
			r.Out.Issue(unreadRange, r.Where(side.Street)+" "+from+" to "+to)
			continue
		}
		side.Line = lines[0]
		if a, _ := strconv.Atoi(from); int32(a) != side.Low {
			side.Line = slices.Clone(lines[0])
			slices.Reverse(side.Line)
		}
		rows = append(rows, side)
	}
	if rows == nil {
		return nil, noNumber
	}
	return rows, reason.Reason{}
}

// numbers sets the numbers of a side; false where an end is not one.
func numbers(side *source.AddressRange, from, to, parity string) bool {
	a, err := strconv.Atoi(from)
	b, second := strconv.Atoi(to)
	const most = 9_999_999 // as many digits as package address reads
	if err != nil || second != nil || min(a, b) < 1 || max(a, b) > most {
		return false
	}
	side.Low, side.High, side.Step = int32(min(a, b)), int32(max(a, b)), "every"
	if a%2 == b%2 && parity != "B" {
		side.Step = schemas.AddressSteps[2-a%2]
	}
	return true
}

func linesOf(g orb.Geometry) []orb.LineString {
	switch g := g.(type) {
	case orb.LineString:
		return []orb.LineString{g}
	case orb.MultiLineString:
		return g
	}
	return nil
}
