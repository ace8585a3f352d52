package staging

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/paulmach/orb"

	"quartier/ingest/source"
	"quartier/internal/geo"
	"quartier/schemas"
	"quartier/schemas/reason"
)

// stageAddress stages an address. Addresses say nothing of where the region's sources have all there is; those of a region that
// has nothing else say which states it is in.
func (s *sink) stageAddress(a source.Address) error {
	p := orb.Point{a.Lng, a.Lat}
	s.bound(s.located(false, p))
	fault := cmp.Or(
		checkTexts("number", a.Number, "street", a.Street, "unit", a.Unit, "city", a.City, "postal code", a.PostalCode),
		when(a.Number == "" || a.Street == "", source.MissingName),
		when(!slices.Contains(schemas.AddressAccuracies, a.Accuracy), unknownAccuracy),
		checkCode(a.StateCode),
		checkLocation(p),
	)
	a.SourceID = s.source
	return put(s, "address", a, a.Number+" "+a.Street, fault)
}

// stageAddressRange stages the numbers along a side of a street.
func (s *sink) stageAddressRange(r source.AddressRange) error {
	if n := len(r.Line); n > 0 {
		s.bound(s.located(false, r.Line[n/2]))
	}
	where := fmt.Sprintf("%d-%d %s", r.Low, r.High, r.Street)
	fault := cmp.Or(
		checkTexts("street", r.Street, "city", r.City),
		when(r.Street == "", source.MissingName),
		when(r.Low < 1 || r.High < r.Low || !slices.Contains(schemas.AddressSteps, r.Step), invalidRange),
		checkCode(r.StateCode),
		checkLine(r.Line, maxSegmentM),
	)
	if !fault.OK() {
		_, err := s.accept("address_range", where, fault)
		return err
	}
	line, err := geo.WKB(r.Line)
	if err != nil {
		return s.fail(err)
	}
	r.SourceID, r.Geom = s.source, line
	return put(s, "address_range", r.AddressRange, where, fault)
}

// bound notes a state of a region, "" for none.
func (s *sink) bound(code string) {
	if code != "" {
		s.file.bounded[code] = true
	}
}

// checkCode returns why a code of a state cannot be staged, if it cannot.
func checkCode(code string) reason.Reason {
	return when(code != "" && !twoLetters(code), invalidStateCode)
}
