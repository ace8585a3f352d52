// Package street says which ways of OpenStreetMap are streets, and makes their rows. In go a way's tags; out come a
// verdict by the rules of classes.csv and access.csv, and a row of staged.street: its class, who may move along it, and
// what else the tags say of it. Read goes through a whole file.
package streettags

import (
	"cmp"
	"strings"

	"quartier/ingest/formats/element"
	"quartier/ingest/source"
)

// Verdict is what a way is by its tags.
type Verdict int

// Verdicts.
const (
	None    Verdict = iota // nothing claims that it is a street
	Unknown                // a kind of street that has no rule
	Gone                   // disused, abandoned, or not yet there
	Street                 // one to stage
)

// Reason says why a way is not staged, as issues do; "" for a street.
func (v Verdict) Reason() string {
	switch v {
	case None:
		return "no tag of a street"
	case Unknown:
		return "a street of an unknown class"
	case Gone:
		return "a street that is disused or not yet there"
	}
	return ""
}

// Flaws are tags that could not be read and were left out.
type Flaws uint8

// The flaws that a way may have.
const (
	BadLanes Flaws = 1 << iota
	BadSpeed
)

// Reasons says what is wrong, as issues do.
func (f Flaws) Reasons() (reasons []string) {
	if f&BadLanes != 0 {
		reasons = append(reasons, "number of lanes that cannot be read left out")
	}
	if f&BadSpeed != 0 {
		reasons = append(reasons, "speed limit that cannot be read left out")
	}
	return reasons
}

// Judge looks at the tags of a way.
func (r *Rules) Judge(tags element.Tags) Verdict {
	if tags.Get("highway") == "" {
		return None
	}
	s := hear(tags)
	_, verdict := r.class(&s)
	return verdict
}

// Row fills the row that a way's tags make, all but its key and line, of which the space stays; it is left as it was
// unless the verdict is Street. A closed way with area=yes is a square: one walks along its outline. It is named as its
// sign is: by name, else by name:en or name:fr.
func (r *Rules) Row(row *source.Street, tags element.Tags, closed bool) (Verdict, Flaws) {
	if tags.Get("highway") == "" {
		return None, 0
	}
	s := hear(tags)
	c, verdict := r.class(&s)
	if verdict != Street {
		return verdict, 0
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
	var flaws Flaws
	var readable bool
	if row.SpeedKMH, readable = s.speed(); !readable {
		flaws |= BadSpeed
	}
	if row.Lanes, readable = s.lanes(); !readable {
		flaws |= BadLanes
	}
	row.Foot = r.mayWalk(&s, c, row)
	row.Bicycle = r.may(cycling, &s, c, bicycle, bicycle, vehicle, access) && !(s.value[motorroad] == "yes" && s.value[bicycle] == "")
	row.Car = "no"
	if r.may(driving, &s, c, motorcar, motorVehicle, vehicle, access) {
		row.Car = s.direction(c)
	}
	return Street, flaws
}

// class finds the rule of a way: that of highway and its detail, else that of highway alone.
func (r *Rules) class(s *said) (class, Verdict) {
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
	case c.verdict == Street && s.gone:
		return class{}, Gone
	}
	return c, c.verdict
}

// names are the name on the sign and, where it is another one, the French one.
func (s *said) names() (plain, french string) {
	french = strings.TrimSpace(s.value[nameFR])
	plain = cmp.Or(strings.TrimSpace(s.value[name]), strings.TrimSpace(s.value[nameEN]), french)
	if french == plain {
		french = ""
	}
	return plain, french
}

// tunnel reports whether the street lies below the ground. One through a building does not, and in a culvert runs the
// water under the street.
func (s *said) tunnel() bool {
	switch s.value[tunnel] {
	case "", "no", "culvert", "building_passage":
		return false
	}
	return true
}
