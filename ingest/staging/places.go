package staging

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/schemas"
	"quartier/schemas/staged"
)

// stageBoundary stages a boundary, with its outline repaired where necessary. Boundary keys are unique across sources.
func (s *sink) stageBoundary(b source.Boundary) error {
	where := fmt.Sprintf("%s %q", b.Key, b.NameEN)
	b.NameEN, b.NameFR = strings.TrimSpace(b.NameEN), strings.TrimSpace(b.NameFR)
	if b.NameFR == b.NameEN {
		b.NameFR = ""
	}
	if ok, err := s.accept("boundary", where, cmp.Or(checkBoundary(b), checkRange(b.Geometry), checkState(b))); !ok {
		return err
	}
	s.locatedArea(false, b.Geometry)
	outline, err := s.outline(b.Geometry, where)
	if outline == nil {
		return err
	}
	if !s.file.boundaries.add(b.Key) {
		s.Issue(source.DuplicateKey, where)
		return nil
	}
	s.file.addBoundary(b)
	err = write(s, "boundary", staged.Boundary{
		SourceID: s.source, SourceKey: b.Key, Level: int32(b.Level), NameEN: b.NameEN, NameFR: b.NameFR,
		CountryCode: b.Country, StateCode: b.State, Population: b.Population, Geom: outline,
	})
	if err != nil {
		return err
	}
	return s.stageNames(b.Key, where, b.Names, b.NameEN, b.NameFR)
}

// stageGazetteerPlace stages a named point.
func (s *sink) stageGazetteerPlace(p source.GazetteerPlace) error {
	where := fmt.Sprintf("%s %q", p.Key, p.Name)
	fault := cmp.Or(
		checkTexts("key", p.Key, "name", p.Name),
		when(p.Key == "", source.MissingKey),
		when(strings.TrimSpace(p.Name) == "", source.MissingName),
		when(!p.Level.Valid(), unknownLevel),
		checkPoint(p.Point),
	)
	if ok, err := s.accept("gazetteer_place", where, fault, p.Key); !ok {
		return err
	}
	err := write(s, "gazetteer_place", staged.GazetteerPlace{
		SourceID: s.source, SourceKey: p.Key, Level: int32(p.Level), Name: p.Name, Lng: p.Point[0], Lat: p.Point[1],
	})
	if err != nil {
		return err
	}
	return s.stageNames(p.Key, where, p.Names, p.Name)
}

// maxNames is the largest number of further names of one place.
const maxNames = 1000

// stageNames stages the further names of a place, each once and none that it has. One that cannot be staged is counted.
func (s *sink) stageNames(key, where string, names []source.FurtherName, taken ...string) error {
	seen := map[string]bool{"": true}
	for _, name := range taken {
		seen[name] = true
	}
	for i, n := range names {
		n.Name = strings.TrimSpace(n.Name)
		if seen[n.Name] {
			continue
		}
		seen[n.Name] = true
		broken := strings.ContainsFunc(n.Name, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar })
		if i >= maxNames || broken || !checkTexts("name", n.Name, "language", n.Language).OK() || !slices.Contains(schemas.NameKinds, n.Kind) {
			s.Issue(furtherNameRemoved, fmt.Sprintf("%s: %q", where, n.Name))
			continue
		}
		row := staged.FurtherName{SourceID: s.source, SourceKey: key, Name: n.Name, Kind: n.Kind, Language: n.Language}
		if err := write(s, "further_name", row); err != nil {
			return err
		}
	}
	return nil
}

// stagePOI stages a point of interest.
func (s *sink) stagePOI(p source.POI) error {
	where := strings.TrimSpace(p.Key + " " + p.Name)
	p.Key = strings.TrimSpace(p.Key)
	s.locatedPOI(&p)
	if ok, err := s.accept("poi", where, checkPOI(&p), p.Key); !ok {
		return err
	}
	s.countClasses(&p, where)
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

// countClasses counts a place whose scheme has a list of classes, and its classes that are not in the list.
func (s *sink) countClasses(p *source.POI, where string) {
	if p.Scheme == schemeOSM {
		return
	}
	s.listed++
	unknown := false
	for _, class := range p.Classes {
		if schemas.KnownPlaceClass(p.Scheme, class) {
			continue
		}
		unknown = true
		why := categoryNotListed.With(class)
		if s.issues[why] == nil && len(s.issues) > maxDetails {
			why.Detail = ""
		}
		s.Issue(why, where)
	}
	if unknown {
		s.unknown++
	}
}

// maxDetails is the number of issues above which further unknown categories are counted together.
const maxDetails = 1000

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

// stageCorrection stages a correction of places of other sources.
func (s *sink) stageCorrection(c source.Correction) error {
	where := fmt.Sprintf("line %d: %s %s", c.Line, c.Action, strings.TrimSpace(c.PlaceKey+" "+c.Name))
	fault := cmp.Or(
		checkTexts("key", c.PlaceKey, "name", c.Name, "new name", c.NewName),
		when(!slices.Contains(schemas.CorrectionActions, c.Action), source.MalformedRecord),
		when(c.PlaceKey == "" && (c.Name == "" || c.Lng == nil || c.Lat == nil || c.WithinM == nil), source.MissingKey),
	)
	for _, p := range [][2]*float64{{c.Lng, c.Lat}, {c.NewLng, c.NewLat}} {
		if p[0] != nil && p[1] != nil {
			fault = cmp.Or(fault, checkPoint(orb.Point{*p[0], *p[1]}))
		}
	}
	c.SourceID = s.source
	return put(s, "correction", c, where, fault, strconv.Itoa(int(c.Line)))
}
