package streettags

import "quartier/ingest/source"

// may reports whether a mode may move along a street. The mode's own two tags, the narrower one first, hold over its
// class; the wider ones (vehicle, access) can take away but not give: access=yes makes no road of a footpath. What is
// private is open to those who live there, so that a home on a private street can be left; other private ways, such as
// a driveway, are closed.
func (r *Rules) may(m mode, s *said, c class, narrow, own key, wide ...key) bool {
	home := c.name == "residential" || c.name == "living_street"
	for _, k := range [2]key{narrow, own} {
		switch r.access[s.value[k]][m] {
		case yes:
			return true
		case no:
			return false
		case private:
			return home && c.allowed[m]
		}
	}
	for _, k := range wide {
		switch r.access[s.value[k]][m] {
		case yes:
			return c.allowed[m]
		case no:
			return false
		case private:
			return home && c.allowed[m]
		}
	}
	return c.allowed[m]
}

// mayWalk asks the tags; where they are silent, one does not walk along an expressway for cars alone or a fast trunk
// road without a sidewalk.
func (r *Rules) mayWalk(s *said, c class, row *source.Street) bool {
	if !r.may(walking, s, c, foot, foot, access) {
		return false
	}
	if r.access[s.value[foot]][walking] == yes || row.Sidewalk != nil && *row.Sidewalk {
		return true
	}
	return s.value[motorroad] != "yes" && (c.walkUpTo == 0 || row.SpeedKMH <= c.walkUpTo)
}

// direction is the way cars may drive, along the line. Roundabouts and motorways are one-way unless they say otherwise.
// A lane whose direction changes with the hour goes both ways.
func (s *said) direction(c class) string {
	for _, k := range [2]key{onewayCar, oneway} {
		switch s.value[k] {
		case "yes", "true", "1":
			return "forward"
		case "-1", "reverse":
			return "backward"
		case "no", "false", "0", "reversible", "alternating":
			return "both"
		}
	}
	if round := s.value[junction]; c.name == "motorway" || round == "roundabout" || round == "circular" {
		return "forward"
	}
	return "both"
}
