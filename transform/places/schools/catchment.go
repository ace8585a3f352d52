package schools

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"

	"quartier/internal/duck"
	"quartier/internal/geo"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/places/normalize"
)

// catchments writes the catchments of the schools, those of one source after the other, and gives schools of unknown levels
// those of their catchments.
func (d *deriver) catchments(ctx context.Context, staged, into *duck.DB) error {
	type source struct {
		ID string `col:"source_id"`
	}
	sources, err := sqlrow.All[source](ctx, staged,
		`SELECT source_id FROM source WHERE source_id IN (SELECT source_id FROM catchment) ORDER BY priority, source_id`)
	if err != nil {
		return fmt.Errorf("read sources of catchments: %w", err)
	}
	return duck.Fill(ctx, into, "school_catchment", func(write func(derived.SchoolCatchment) error) error {
		for _, s := range sources {
			if err := d.catchmentsOf(ctx, staged, s.ID, write); err != nil {
				return fmt.Errorf("catchments of source %s: %w", s.ID, err)
			}
		}
		return nil
	})
}

func (d *deriver) catchmentsOf(ctx context.Context, db *duck.DB, source string, write func(derived.SchoolCatchment) error) error {
	for row, err := range sqlrow.Select[staged.Catchment](ctx, db, "SELECT * FROM catchment WHERE source_id = ? ORDER BY source_key", source) {
		if err != nil {
			return err
		}
		at, by, why, err := d.schoolOf(row)
		if err != nil {
			return fmt.Errorf("%s: %w", row.SourceKey, err)
		}
		out := derived.SchoolCatchment{SourceID: row.SourceID, SourceKey: row.SourceKey, Program: cutText(row.Program), Grade: row.Grade,
			Reason: by, Geom: row.Geom}
		if why.OK() {
			s := &d.result.Schools[at]
			if out.Level = levelOfCatchment(row, s.CountryCode); out.Level == "" {
				out.Level = mainLevel(s.Levels)
			}
			if out.Level == "" {
				why = withoutCatchmentLevel
			}
			out.SchoolKey = s.Key
			if s.Levels == "" || d.inferred[at] {
				s.Levels, d.inferred[at] = orderLevels(append(list(s.Levels), out.Level)), true
			}
		}
		if !why.OK() {
			d.issues.Add(why, fmt.Sprintf("%s %s of %s", row.SourceKey, normalize.Space(row.SchoolName+" "+row.SchoolID), row.SourceID))
			continue
		}
		d.result.Catchments++
		if err := write(out); err != nil {
			return err
		}
	}
	return nil
}

// levelOfCatchment is the published level, else that of the grades; "" if neither is known. Levels that were given to grades
// are those of the United States: in Canada grade 6 is elementary.
func levelOfCatchment(row *staged.Catchment, country string) string {
	if row.Level != "" && (country != "CA" || row.Grade != "6") {
		return row.Level
	}
	return mainLevel(spanOfGrades(row.Grade).levels(country))
}

// mainLevel is the first of a comma list of levels after preschool, or preschool if it is the only one.
func mainLevel(levels string) string {
	all := list(levels)
	switch {
	case len(all) == 0:
		return ""
	case len(all) > 1 && all[0] == schemas.SchoolLevels[0]:
		return all[1]
	}
	return all[0]
}

// schoolOf is the school of a catchment and by what it is named: by the number or key, else by the name of one that teaches
// the level in the outline, else near it.
func (d *deriver) schoolOf(row *staged.Catchment) (at int, by string, why reason.Reason, err error) {
	if row.SchoolID != "" {
		if at, ok := d.byID[row.SchoolID]; ok {
			by = "source_key"
			if d.result.Schools[at].AuthorityID == row.SchoolID {
				by = schemas.SchoolAuthority
			}
			return at, by, why, nil
		}
	}
	candidates := d.namesakes(namesOf(row.SchoolName))
	candidates = slices.DeleteFunc(candidates, func(i int) bool {
		s := &d.result.Schools[i]
		level := levelOfCatchment(row, s.CountryCode)
		return level != "" && s.Levels != "" && !d.inferred[i] && !slices.Contains(list(s.Levels), level)
	})
	if len(candidates) == 0 {
		return 0, "", withoutSchool, nil
	}
	g, err := wkb.Unmarshal(row.Geom)
	outline, ok := g.(orb.MultiPolygon)
	if err != nil || !ok {
		return 0, "", why, fmt.Errorf("a %T: %w", g, err)
	}
	at, why = d.nearest(outline, candidates, namesOf(row.SchoolName))
	return at, schemas.SchoolName, why, nil
}

// nearest is the school that is nearest to an outline, of several in it that with the most similar full name.
func (d *deriver) nearest(outline orb.MultiPolygon, candidates []int, names []name) (at int, why reason.Reason) {
	best, alike, ties := math.Inf(1), -1.0, 0
	for _, i := range candidates {
		s := &d.result.Schools[i]
		metres := geo.DistanceTo(outline, orb.Point{s.Lng, s.Lat})
		_, plain := similarity(names, d.names[i])
		switch {
		case metres < best || metres == best && plain > alike:
			at, best, alike, ties = i, metres, plain, 1
		case metres == best && plain == alike:
			ties++
		}
	}
	switch {
	case best > d.c.OutsideM:
		return 0, withoutSchool
	case ties > 1:
		return 0, ambiguousSchool
	}
	return at, why
}
