package staging

import (
	"fmt"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/staged"
)

// stageBoundary stages a boundary, with its outline repaired where necessary. Boundary keys are unique across sources.
func (s *sink) stageBoundary(b source.Boundary) error {
	where := fmt.Sprintf("%s %q", b.Key, b.NameEN)
	b.NameEN, b.NameFR = strings.TrimSpace(b.NameEN), strings.TrimSpace(b.NameFR)
	if b.NameFR == b.NameEN {
		b.NameFR = ""
	}
	if ok, err := s.accept("boundary", where, checkBoundary(b)); !ok {
		return err
	}
	outline, err := s.outline(b.Geometry, where)
	if outline == nil {
		return err
	}
	if !s.file.boundaries.add(b.Key) {
		s.Issue(source.DuplicateKey, where)
		return nil
	}
	return write(s, "boundary", staged.Boundary{
		SourceID: s.source, SourceKey: b.Key, Level: int32(b.Level), NameEN: b.NameEN, NameFR: b.NameFR,
		CountryCode: b.Country, StateCode: b.State, Population: b.Population, Geom: outline,
	})
}

// stageCoverage stages the extent of a source's data.
func (s *sink) stageCoverage(c source.Coverage) error {
	where := "coverage of " + c.Country + " " + c.State
	if ok, err := s.accept("coverage", where, when(!twoLetters(c.Country) || !twoLetters(c.State), missingStateCode)); !ok {
		return err
	}
	outline, err := s.outline(c.Geometry, where)
	if outline == nil {
		return err
	}
	return write(s, "coverage", staged.Coverage{SourceID: s.source, CountryCode: c.Country, StateCode: c.State, Geom: outline})
}

// stagePOI stages a point of interest.
func (s *sink) stagePOI(p source.POI) error {
	where := strings.TrimSpace(p.Key + " " + p.Name)
	p.Key = strings.TrimSpace(p.Key)
	if ok, err := s.accept("poi", where, checkPOI(&p), p.Key); !ok {
		return err
	}
	var vocabulary any = p.Classes
	if p.Scheme == schemeOSM {
		vocabulary = p.Tags
	}
	classes, err := encode(vocabulary)
	if err != nil {
		return s.fail(fmt.Errorf("classes of %s: %w", p.Key, err))
	}
	p.Confidence = s.inRange(p.Confidence, 1, source.ConfidenceRemoved, where)
	p.AreaM2 = s.inRange(p.AreaM2, 1e15, areaRemoved, where)
	return write(s, "poi", staged.POI{
		SourceID: s.source, SourceKey: p.Key, Lng: p.Point[0], Lat: p.Point[1], Scheme: p.Scheme, Classes: classes,
		Details: p.Details,
	})
}

// stageBrandRule stages a rule by which places of a brand are recognised.
func (s *sink) stageBrandRule(r source.BrandRule) error {
	where := r.Key + "=" + r.Value + " " + r.BrandName
	if r.Countries == nil {
		r.Countries = []string{}
	}
	if r.Tags == nil {
		r.Tags = map[string]string{}
	}
	row := staged.BrandRule{
		SourceID: s.source, BrandID: r.BrandID, BrandName: r.BrandName, Wikidata: r.Wikidata, Key: r.Key, Value: r.Value,
	}
	for _, column := range []struct {
		text  *string
		value any
	}{{&row.Names, r.Names}, {&row.Countries, r.Countries}, {&row.Tags, r.Tags}} {
		var err error
		if *column.text, err = encode(column.value); err != nil {
			return s.fail(fmt.Errorf("brand rule %s: %w", where, err))
		}
	}
	return put(s, "brand_rule", row, where, checkRule(r), r.Key, r.Value, r.BrandID)
}
