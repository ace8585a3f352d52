package access

import (
	"math"
	"slices"

	"quartier/schemas"
)

// known is of which classes of places the sources of a region know enough that "none found" means "none exists".
type known struct {
	classes map[string]bool // of destination
	missing []string        // the other classes
	general bool            // some source covers all kinds of places
}

// transport are the classes of places to board.
var transport = []string{"bus_stop", "rapid_station", "train_station", "stop"}

func newKnown(d *deriver) *known {
	k := &known{classes: map[string]bool{}, general: d.set.General}
	for _, class := range schemas.DestinationClasses {
		if class == "highway_ramp" || class == "stop" {
			continue
		}
		k.classes[class] = k.complete(d, class)
		if !k.classes[class] {
			k.missing = append(k.missing, class)
		}
	}
	return k
}

// has reports whether a class is known.
func (k *known) has(class string) bool { return k.classes[class] }

// complete decides whether a class is covered. A source of all kinds of places with hardly any of one class has not
// mapped that class. Stops are different: where some kind of stop is known, the other kinds are too.
func (k *known) complete(d *deriver, class string) bool {
	required := d.c.Coverage.MinPlaces
	switch {
	case slices.Contains(transport, class):
		return d.set.Places(class) > 0 || k.general && slices.ContainsFunc(transport, func(class string) bool { return d.set.Places(class) > 0 })
	case k.general:
		required = min(max(int(math.Ceil(d.c.Coverage.GeneralShare*float64(d.set.POIs))), 1), required)
	case slices.Contains(d.c.Coverage.GeneralOnly, class):
		return false
	}
	return d.set.Places(class) >= required
}

func (d *deriver) knownNotes() []Note {
	missing := d.known.missing
	if !slices.Contains(d.coverage.places, true) {
		missing = schemas.DestinationClasses
	}
	if text := schemas.CoverageNote(missing, d.known.general); text != "" {
		return []Note{{schemas.CoverageTopic, text}}
	}
	return nil
}
