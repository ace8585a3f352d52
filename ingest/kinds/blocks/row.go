package blocks

import (
	"strconv"

	"github.com/paulmach/orb"

	"quartier/ingest/formats/vector"
	"quartier/ingest/source"
)

// block stages a block.
func (s *stage) block(f vector.Feature) error {
	key := f.Text(s.options.Key, "")
	if key == "" {
		s.out.Issue(source.MissingKey, f.Where(""))
		return nil
	}
	b := source.Block{Key: s.options.Scheme + ":" + key, Geometry: vector.Outline(f.Geometry)}
	if len(b.Geometry) == 0 {
		s.out.Issue(source.MissingGeometry, f.Where("")+" "+key)
		return nil
	}
	if s.options.AreaScheme != "" && len(key) > s.options.AreaDigits {
		b.AreaKey = s.options.AreaScheme + ":" + key[:s.options.AreaDigits]
	}
	columns := s.options.columns()
	figures := figuresOf(func(i int) string {
		if s.table != nil && i < 3 {
			return ""
		}
		return f.Text(columns[i], "")
	}, s.out, f.Where("")+" "+key)
	if s.table != nil {
		counted, known := s.table.of(key)
		if !known {
			s.out.Issue(withoutCounts, f.Where("")+" "+key)
		}
		figures.population, figures.dwellings, figures.households = counted.population, counted.dwellings, counted.households
		if figures.landM2 == nil {
			figures.landM2 = counted.landM2
		}
	}
	b.Population, b.Dwellings, b.Households, b.LandM2 = figures.population, figures.dwellings, figures.households, figures.landM2
	s.addPeople(key, b.Population)
	return s.out.Row(b)
}

// addPeople adds the population of a block to that of the aggregate, once per key.
func (s *stage) addPeople(key string, people *int64) {
	if len(s.options.Whole) == 0 || s.counted[key] {
		return
	}
	s.counted[key] = true
	if people == nil {
		s.withoutPopulation++
		return
	}
	s.people += *people
}

// home stages a point where people of a block live.
func (s *stage) home(f vector.Feature) error {
	block := f.Text(s.options.Key, "")
	at, isPoint := f.Geometry.(orb.Point)
	weight, err := strconv.ParseFloat(f.Attributes[s.options.Weight], 64)
	switch {
	case block == "":
		s.out.Issue(source.MissingKey, f.Where(""))
	case !isPoint:
		s.out.Issue(source.MissingGeometry, f.Where("")+" "+block)
	case err != nil:
		s.out.Issue(source.InvalidWeight, f.Where("")+" "+block)
	case weight == 0:
		s.out.Issue(zeroWeight, f.Where("")+" "+block)
	default:
		home := source.Home{SourceKey: f.Attributes[s.options.HomeKey], BlockKey: s.options.Scheme + ":" + block, Weight: weight, Lng: at[0],
			Lat: at[1]}
		if home.SourceKey != "" {
			home.SourceKey = s.options.Scheme + ":home:" + home.SourceKey
		}
		return s.out.Row(home)
	}
	return nil
}
