package feature

import (
	"context"
	_ "embed"
	"fmt"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/staged"
)

//go:embed heard.sql
var heardSQL string

// Heard is whether a class of what is heard beside streets is known in a region.
type Heard struct {
	Verdict  schemas.ClassVerdict
	Features int64           // of all sources
	Sources  map[string]bool // those that know the class within their extents
	Accepted string          // why the score quiet is given without it; "": it is not
}

// ReadHeard judges each of schemas.HeardClasses. A source knows a class if it is declared to be complete, or if it is a map
// of streets that has some of the class or land use and buildings (HasLandCover): what it does not have does not exist. A
// road network file or an extract of streets alone knows neither railways nor aerodromes, one of streets and rails knows
// railways, and one with level crossings and no rails has left them out.
func ReadHeard(ctx context.Context, db *duck.DB) (map[string]*Heard, error) {
	type row struct {
		SourceID string `col:"source_id"`
		Class    string `col:"class"`
		Features int64  `col:"features"`
		Mapped   bool   `col:"mapped"`
		Complete bool   `col:"complete"`
		Lacking  bool   `col:"lacking"`
	}
	heard := map[string]*Heard{}
	for _, class := range schemas.HeardClasses {
		heard[class] = &Heard{Verdict: schemas.ClassUnmapped, Sources: map[string]bool{}}
	}
	for r, err := range sqlrow.Select[row](ctx, db, heardSQL) {
		if err != nil {
			return nil, fmt.Errorf("read railways and aerodromes: %w", err)
		}
		h := heard[r.Class]
		h.Features += r.Features
		switch known := h.Verdict.Known(); {
		case r.Complete:
			h.Verdict, h.Sources[r.SourceID] = schemas.ClassComplete, true
		case r.Lacking && !known:
			h.Verdict = schemas.ClassLacking
		case r.Mapped && !r.Lacking:
			h.Sources[r.SourceID] = true
			if !known {
				h.Verdict = schemas.ClassMapped
			}
		}
	}
	for accepted, err := range sqlrow.Select[staged.QuietWithout](ctx, db, "SELECT * FROM quiet_without") {
		if err != nil {
			return nil, fmt.Errorf("read quiet_without: %w", err)
		}
		heard[accepted.Class].Accepted = accepted.Why
	}
	return heard, nil
}
