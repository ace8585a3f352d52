package schools

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"quartier/internal/duck"
	"quartier/internal/sqlrow"
	"quartier/schemas"
	"quartier/schemas/derived"
	"quartier/schemas/reason"
	"quartier/schemas/staged"
	"quartier/transform/places/normalize"
)

// ratedProvinces are the provinces of Canada whose schools have ratings.
var ratedProvinces = []string{"ON", "BC"}

// rate gives the schools their ratings: the first of several rows of a school, by source and key.
func (d *deriver) rate(ctx context.Context, staged *duck.DB) error {
	rows, err := readRatings(ctx, staged)
	if err != nil {
		return err
	}
	for i := range rows {
		row := &rows[i]
		label := fmt.Sprintf("%s %s of %s", row.SourceKey, normalize.Space(row.SchoolName), row.SourceID)
		at, alike, why := d.rated(row)
		if !why.OK() {
			d.issues.Add(why, label)
			continue
		}
		s := &d.result.Schools[at]
		letter := d.letter(row)
		switch {
		case s.CountryCode == "CA" && !slices.Contains(ratedProvinces, s.StateCode):
			d.issues.Add(unratedProvince, label)
		case s.Rating != "":
			d.issues.Add(ratedTwice, label)
		case letter != "":
			s.Rating = letter
			d.result.Sources = append(d.result.Sources, derived.SchoolSource{SchoolKey: s.Key, SourceID: row.SourceID, SourceKey: row.SourceKey,
				Name: normalize.Space(row.SchoolName), NameSimilarity: alike, Reason: schemas.SchoolRating})
		}
	}
	return nil
}

func readRatings(ctx context.Context, db *duck.DB) ([]staged.SchoolRating, error) {
	rows, err := sqlrow.All[staged.SchoolRating](ctx, db,
		"SELECT school_rating.* FROM school_rating JOIN source USING (source_id) ORDER BY priority, source_id, source_key")
	if err != nil {
		return nil, fmt.Errorf("read ratings of schools: %w", err)
	}
	return rows, nil
}

// letter is the published letter, else that of the share in the calibration's ladder.
func (d *deriver) letter(row *staged.SchoolRating) string {
	if row.Letter != "" || row.Share == nil {
		return row.Letter
	}
	return d.c.Letter(*row.Share)
}

// rated is the school of a rating: by its number, else that of the name and the board with the most similar name.
func (d *deriver) rated(row *staged.SchoolRating) (at int, alike *float64, why reason.Reason) {
	if row.SchoolID != "" {
		if at, ok := d.byID[row.SchoolID]; ok {
			return at, nil, reason.Reason{}
		}
	}
	names := namesOf(row.SchoolName)
	best, ties := -1.0, 0
	for _, i := range d.namesakes(names) {
		s := &d.result.Schools[i]
		if row.StateCode != "" && row.StateCode != s.StateCode || !sameBoard(row.BoardName, s.BoardName) {
			continue
		}
		_, plain := similarity(names, d.names[i])
		switch {
		case plain > best:
			at, best, ties = i, plain, 1
		case plain == best:
			ties++
		}
	}
	switch {
	case ties == 0:
		return 0, nil, withoutRated
	case ties > 1:
		return 0, nil, severalRated
	}
	folded, _ := similarity(names, d.names[at])
	return at, &folded, reason.Reason{}
}

// namesakes are the schools with one of the folded names, in their order, each once.
func (d *deriver) namesakes(names []name) (found []int) {
	for _, key := range keysOf(names) {
		found = append(found, d.byName[key]...)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// compareSources orders rows of school_source.
func compareSources(a, b derived.SchoolSource) int {
	return cmp.Or(cmp.Compare(a.SchoolKey, b.SchoolKey), cmp.Compare(a.SourceID, b.SourceID), cmp.Compare(a.SourceKey, b.SourceKey))
}
