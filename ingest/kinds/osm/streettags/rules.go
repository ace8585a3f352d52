// Package streettags classifies OpenStreetMap ways by their tags as streets, by the rules of classes.csv and access.csv,
// and converts the tags to rows of staged.street: class, permitted modes and attributes.
package streettags

import (
	"cmp"
	"slices"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// Status is what a way is by its tags.
type Status int

// The statuses.
const (
	None     Status = iota // not a street
	Unknown                // a value of highway without a rule
	NotInUse               // disused, abandoned, proposed or under construction
	Street
)

var own reason.List

var (
	notAStreet   = own.Skipped("not_a_street", "The way has no tag of a street.")
	unknownClass = own.Skipped("unknown_street_class_skipped", "The value of highway is not a class of street that is read.")
)

// Reasons are the reasons for which a way is not staged, or staged without an attribute.
func Reasons() []reason.Reason {
	return append(slices.Clone(own), source.NotInUse, source.LanesRemoved, source.SpeedLimitRemoved)
}

// Reason returns why a way is not staged; the zero value for a street.
func (s Status) Reason() reason.Reason {
	switch s {
	case None:
		return notAStreet
	case Unknown:
		return unknownClass
	case NotInUse:
		return source.NotInUse
	}
	return reason.Reason{}
}

// Classify returns the status of a way.
func (r *Rules) Classify(tags element.Tags) Status {
	if tags.Get("highway") == "" {
		return None
	}
	s := readTags(tags)
	_, status := r.class(&s)
	return status
}

// Row sets the row of a way by its tags, except for key and line, whose memory is reused. The row is unchanged unless
// the status is Street. A closed way with area=yes is a square, and its outline a pedestrian street. The name is that on
// the sign: name, else name:en or name:fr. repairs are the reasons of tags that were invalid and removed.
func (r *Rules) Row(row *source.Street, tags element.Tags, closed bool) (status Status, repairs []reason.Reason) {
	if tags.Get("highway") == "" {
		return None, nil
	}
	s := readTags(tags)
	c, status := r.class(&s)
	if status != Street {
		return status, nil
	}
	if closed && s.value[area] == "yes" {
		c = r.classes[[2]string{"pedestrian", ""}]
	}
	*row = source.Street{
		Line: row.Line, Nodes: row.Nodes,
		Class: c.name, Sidewalk: s.sidewalk(c), Cycleway: s.cycleway(c), Parking: s.parking(),
		Bridge: s.value[bridge] != "" && s.value[bridge] != "no",
		Tunnel: s.tunnel(),
	}
	row.Name, row.NameFR = s.names()
	var valid bool
	if row.Lanes, valid = s.lanes(); !valid {
		repairs = append(repairs, source.LanesRemoved)
	}
	if row.SpeedKMH, valid = s.speed(); !valid {
		repairs = append(repairs, source.SpeedLimitRemoved)
	}
	row.Foot = r.mayWalk(&s, c, row)
	row.Bicycle = r.may(cycling, &s, c, bicycle, bicycle, vehicle, access) && !(s.value[motorroad] == "yes" && s.value[bicycle] == "")
	row.Car = "no"
	if r.may(driving, &s, c, motorcar, motorVehicle, vehicle, access) {
		row.Car = s.direction(c)
	}
	return Street, repairs
}

// class returns the rule of a way: that of highway and its detail, else that of highway.
func (r *Rules) class(s *streetTags) (class, Status) {
	kind := s.value[highway]
	if kind == "" || s.value[route] == "ferry" {
		return class{}, None
	}
	detail := ""
	switch kind {
	case "service":
		detail = s.value[detailService]
	case "footway":
		detail = s.value[detailFootway]
	case "cycleway":
		detail = s.value[detailCycleway]
	case "path":
		detail = cmp.Or(s.value[detailPath], s.value[detailFootway])
	}
	c, known := r.classes[[2]string{kind, detail}]
	if !known {
		c, known = r.classes[[2]string{kind, ""}]
	}
	switch {
	case !known:
		return class{}, Unknown
	case c.status == Street && s.notInUse:
		return class{}, NotInUse
	}
	return c, c.status
}

// names returns the name on the sign and, if it differs, the French name.
func (s *streetTags) names() (plain, french string) {
	french = strings.TrimSpace(s.value[nameFR])
	plain = cmp.Or(strings.TrimSpace(s.value[name]), strings.TrimSpace(s.value[nameEN]), french)
	if french == plain {
		french = ""
	}
	return plain, french
}

// tunnel reports whether the street is underground. A passage through a building is not, and a culvert carries water
// under the street.
func (s *streetTags) tunnel() bool {
	switch s.value[tunnel] {
	case "", "no", "culvert", "building_passage":
		return false
	}
	return true
}
