package explain

import (
	"fmt"

	"quartier/internal/wording"
)

// nearerStreet describes a street that is nearer than the one snapped to, but behind a barrier; "" if there is none.
func (l *location) nearerStreet() string {
	near := l.streetsWithin(l.point, l.spot.LegM)
	if len(near) == 0 || near[0].distance > l.spot.LegM-1 {
		return ""
	}
	kind := l.barrierBetween(l.point, near[0].nearest)
	if kind == "" {
		return ""
	}
	return l.text(wording.Say("street_nearer", near[0].label(), near[0].distance, barriers[kind]))
}

var barriers = map[string]wording.Class{"": "a_barrier", "water": "water", "motorway": "a_motorway", "railway": "a_railway"}

// notSnapped is why the point is snapped to no street.
func (l *location) notSnapped() error {
	const farthest = 20000 // metres
	limit := l.r.c.Walking.SnapM
	for radius := limit; ; radius = min(4*radius, farthest) {
		near := l.streetsWithin(l.point, radius)
		if l.err != nil {
			return l.err
		}
		if len(near) > 0 {
			return l.tooFar(&near[0], limit)
		}
		if radius == farthest {
			return fmt.Errorf("%w: the point is outside the release, which has no street within %d km of it", ErrNoStreet, farthest/1000)
		}
	}
}

func (l *location) tooFar(s *line, limit float64) error {
	label := wording.English.Text(s.label())
	if s.distance > limit {
		return fmt.Errorf("%w: the nearest one, %s, is %.0f m away, and there are no values farther than %.0f m from a street",
			ErrNoStreet, label, s.distance, limit)
	}
	kind := l.barrierBetween(l.point, s.nearest)
	if l.err != nil {
		return l.err
	}
	return fmt.Errorf("%w: %s is %.0f m away, but %s is in between, as for every street within %.0f m",
		ErrNoStreet, label, s.distance, wording.English.Classes([]string{string(barriers[kind])}), limit)
}
