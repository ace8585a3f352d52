package trafficcounts

import (
	"fmt"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// group is the lanes of one road and direction.
type group struct {
	sum     source.TrafficCount // its name, and its line or point, are those of the first lane that has one
	where   string
	counted int
	heavy   float64  // heavy vehicles a day of all lanes
	lost    []string // lanes without a count
	differ  bool
}

// add adds a lane to its group. Lanes that count nothing all day are broken rather than empty.
func (s *stage) add(r *record, c source.TrafficCount, why reason.Reason) reason.Reason {
	var names []string
	for _, name := range s.Group {
		names = append(names, r.value(name))
	}
	name := strings.Join(names, " ")
	if strings.TrimSpace(name) == "" {
		return source.MissingKey
	}
	key := strings.Join(names, "\x1f") // "a b" and "c" are not "a" and "b c"
	g := s.named[key]
	if g == nil {
		if s.named == nil {
			s.named = map[string]*group{}
		}
		g = &group{where: "lanes of " + name}
		g.sum.Key = s.Scheme + ":" + name
		s.named[key], s.groups = g, append(s.groups, g)
	}
	if !why.OK() {
		g.lost = append(g.lost, r.where)
		return why
	}
	g.add(c)
	return why
}

// add adds a lane. A count without a number of lanes is of one. The share of heavy vehicles is known if it is in all lanes:
// of 9,000 vehicles with 10 % and 1,000 with 50 % it is 1,400 of 10,000.
func (g *group) add(c source.TrafficCount) {
	c.Key, c.Lanes = g.sum.Key, max(1, c.Lanes)
	if c.Heavy != nil {
		g.heavy += *c.Heavy * c.AADT
	}
	if g.counted++; g.counted == 1 {
		g.sum = c
		return
	}
	sum := &g.sum
	sum.AADT += c.AADT
	sum.Lanes += c.Lanes
	if c.Heavy == nil {
		sum.Heavy = nil
	}
	if sum.Name == "" {
		sum.Name = c.Name
	}
	sameHeading := sum.Heading == c.Heading || sum.Heading != nil && c.Heading != nil && *sum.Heading == *c.Heading
	g.differ = g.differ || sum.SpeedKMH != c.SpeedKMH || sum.Class != c.Class || sum.OneWay != c.OneWay || !sameHeading
	if sum.SpeedKMH != c.SpeedKMH {
		sum.SpeedKMH = 0
	}
	if sum.Class != c.Class {
		sum.Class = ""
	}
	if !sameHeading {
		sum.Heading = nil
	}
	sum.OneWay = sum.OneWay && c.OneWay
}

// putGroups stages the groups of which every lane has a count.
func (s *stage) putGroups() error {
	for _, g := range s.groups {
		switch {
		case len(g.lost) > 0:
			if g.counted > 0 {
				s.out.Issue(partOfRoad, fmt.Sprintf("%s: %d of %d", g.where, g.counted, g.counted+len(g.lost)))
			}
			continue
		case g.sum.AADT > maxVolume:
			s.out.Issue(invalidVolume, fmt.Sprintf("%s: %.0f", g.where, g.sum.AADT))
			continue
		}
		if g.sum.Heavy != nil {
			share := min(1, g.heavy/g.sum.AADT)
			g.sum.Heavy = &share
		}
		if g.sum.Lanes > maxLanes {
			s.out.Issue(source.LanesRemoved, fmt.Sprintf("%s: %d", g.where, g.sum.Lanes))
			g.sum.Lanes = 0
		}
		if g.differ {
			s.out.Issue(lanesDiffer, g.where)
		}
		if err := s.out.Row(g.sum); err != nil {
			return err
		}
	}
	return nil
}
