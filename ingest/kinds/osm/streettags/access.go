package streettags

import "quartier/ingest/source"

// may reports whether a mode is permitted on a street. The tags of the mode, the narrower one first, override the class.
// The wider ones (vehicle, access) can only prohibit: access=yes does not open a footpath to cars. Private residential
// streets are open, since people live there; other private ways, such as driveways, are closed.
//
// For example, highway=footway with bicycle=yes is open to bicycles, and with access=yes is not.
func (r *Rules) may(m mode, s *streetTags, c class, narrow, own key, wide ...key) bool {
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

// mayWalk reports whether pedestrians are permitted. Unless a tag permits them, they are not on expressways for cars
// and fast trunk roads without a sidewalk.
func (r *Rules) mayWalk(s *streetTags, c class, row *source.Street) bool {
	if !r.may(walking, s, c, foot, foot, access) {
		return false
	}
	if r.access[s.value[foot]][walking] == yes || row.Sidewalk != nil && *row.Sidewalk {
		return true
	}
	return s.value[motorroad] != "yes" && (c.walkUpTo == 0 || row.SpeedKMH <= c.walkUpTo)
}

// direction returns the direction of car traffic relative to the line. Roundabouts and motorways are one-way unless
// tagged otherwise. Reversible lanes count as both directions.
func (s *streetTags) direction(c class) string {
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
