package document

import (
	"strconv"
	"strings"
	"sync"

	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/product/typologies"
	"quartier/serve/release"
	"quartier/serve/reply"
)

// sample is what the document's examples ask for: places of the release that is served, so that they can be tried. The zero
// value changes nothing of the recorded examples.
type sample struct {
	values map[string]string        // lat, lng and geohash
	ids    map[schemas.Level]string // of a geography of each level
}

// sampleOf takes the geography with the most people of each level, by id where these are not known, and the middle of the
// smallest kind.
func sampleOf(r *release.Release) sample {
	s := sample{map[string]string{}, map[schemas.Level]string{}}
	most, best := map[schemas.Level]int64{}, -1
	for i := range r.Geographies.Len() {
		if _, superseded := r.Geographies.Superseded(i); superseded {
			continue
		}
		level := r.Geographies.Level(i)
		people, _ := r.Geographies.Population(i)
		if s.ids[level] != "" && people <= most[level] {
			continue
		}
		s.ids[level], most[level] = r.Geographies.ID(i), people
		if best < 0 || level <= r.Geographies.Level(best) {
			best = i
		}
	}
	if best >= 0 {
		middle := r.Geographies.Centroid(best)
		s.values["lng"], s.values["lat"] = degrees(middle[0]), degrees(middle[1])
		s.values["geohash"] = geo.Geohash(middle, typologies.CellChars)
	}
	return s
}

// degrees are 4 decimals, about ten metres.
func degrees(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// replace replaces the values of a recorded request by those of the sample, where it has them.
func (s sample) replace(given map[string]string) {
	for name, value := range given {
		if own := s.values[name]; own != "" {
			given[name] = own
		}
		if number, _, found := strings.Cut(strings.TrimPrefix(value, "g"), "_"); found && name == "geog_id" {
			if level, err := strconv.Atoi(number); err == nil && s.ids[schemas.Level(level)] != "" {
				given[name] = s.ids[schemas.Level(level)]
			}
		}
	}
}

// Current has the document of the release that is served. The zero value is ready.
type Current struct {
	mu     sync.Mutex
	of     string // digest of the places whose sample it has; "": none
	stored *reply.Stored
}

// Get returns the document of endpoints for the release that is served, made when it is first asked for.
func (d *Current) Get(all []endpoint.Endpoint, releases *release.Holder) (*reply.Stored, error) {
	r, of, s := releases.Acquire(), "", sample{}
	if r != nil {
		defer r.Done()
		of = r.Digest()
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stored != nil && d.of == of {
		return d.stored, nil
	}
	if r != nil {
		s = sampleOf(r)
	}
	text, err := write(all, s)
	if err != nil {
		return nil, err
	}
	d.of, d.stored = of, reply.NewStored(reply.JSON[0], text, nil)
	return d.stored, nil
}
