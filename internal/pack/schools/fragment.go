package schools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"quartier/internal/coord"
	"quartier/schemas"
)

// The ends of encoded values at which the parts that differ between answers begin. A quote inside a string has a backslash
// before it in JSON, so that neither can be inside a name.
var (
	schoolGap    = []byte(`,"proximity":{"linear_distance":0}}`)
	catchmentGap = []byte(`{"geometry":[],"inside":false`)
)

// encode is compact JSON in which <, > and & are not escaped.
func encode(value any) ([]byte, error) {
	var buffer bytes.Buffer
	enc := json.NewEncoder(&buffer)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), nil
}

// schoolText encodes a school up to its distance.
func schoolText(s schemas.School) ([]byte, error) {
	text, err := encode(s)
	if err != nil {
		return nil, err
	}
	if !bytes.HasSuffix(text, schoolGap) {
		return nil, fmt.Errorf("no distance in %s", text)
	}
	return text[:len(text)-len("0}}")], nil
}

// catchmentText encodes a catchment from its level on.
func catchmentText(c *Catchment, french bool) ([]byte, error) {
	entry := schemas.SchoolCatchment{Geometry: schemas.MultiPolygon{}, Level: c.Level, Program: c.Program, Grade: c.Grade}
	if french {
		entry.Level = schemas.SchoolWordFR(schemas.SchoolLevelWord, c.Level)
		entry.Program = schemas.SchoolWordFR(schemas.SchoolProgramWord, c.Program)
	}
	text, err := encode(entry)
	if err != nil {
		return nil, err
	}
	tail, ok := bytes.CutPrefix(text, catchmentGap)
	if !ok {
		return nil, fmt.Errorf("no geometry in %s", text)
	}
	return tail, nil
}

// Entry is the API's description of a school, in English, without its distance and its catchments.
func Entry(r *Record) (schemas.School, error) {
	p, ok := coord.NewPoint(r.Lng, r.Lat)
	if !ok {
		return schemas.School{}, fmt.Errorf("invalid position: lng %v, lat %v", r.Lng, r.Lat)
	}
	lng, lat := p.Degrees()
	s := schemas.School{
		Name: r.Name, Address: r.Address, City: r.City, Province: r.StateCode, PostalCode: r.PostalCode,
		Country: schemas.CountryName(r.CountryCode).EN, Lat: lat, Lng: lng, URL: r.URL, Rating: r.Rating,
		Attributes: schemas.SchoolAttributes{Levels: append([]string{}, split(r.Levels)...), Grades: r.Grades, Types: split(r.Types)},
	}
	if r.Programs != "" {
		if err := json.Unmarshal([]byte(r.Programs), &s.Attributes.Programs); err != nil {
			return s, fmt.Errorf("programs %q: %w", r.Programs, err)
		}
	}
	if r.BoardName != "" || r.BoardURL != "" {
		s.Board = &schemas.SchoolBoardAttributes{Name: r.BoardName, URL: r.BoardURL}
	}
	switch r.CountryCode {
	case "US":
		addFigures(&s, r)
	case "CA":
		s.Attributes.Languages = split(r.Languages)
		if !slices.Contains(ratedProvinces, r.StateCode) {
			s.Rating = ""
		}
	}
	return s, nil
}

// ratedProvinces are those in which schools have a rating.
var ratedProvinces = []string{"BC", "ON"}

// addFigures adds what only schools of the United States have.
func addFigures(s *schemas.School, r *Record) {
	s.Phone = r.Phone
	s.Students, s.Female, s.Male = count(r.Students), count(r.Female), count(r.Male)
	s.FreeLunch, s.ReducedLunch = count(r.FreeLunch), count(r.ReducedLunch)
	s.TeacherRatio, s.Advanced, s.Charter = r.StudentTeacherRatio, r.AdvancedPlacement, r.Charter
	s.Magnet, s.TitleI, s.Library = r.Magnet, r.TitleI, r.Library
}

func count(n *int64) *int {
	if n == nil {
		return nil
	}
	v := int(*n)
	return &v
}

// inFrench translates the words of a school.
func inFrench(s schemas.School) schemas.School {
	a := &s.Attributes
	a.Levels = translate(schemas.SchoolLevelWord, a.Levels)
	a.Types = translate(schemas.SchoolTypeWord, a.Types)
	a.Languages = translate(schemas.SchoolLanguageWord, a.Languages)
	a.Programs = translate(schemas.SchoolProgramWord, a.Programs)
	return s
}

func translate(kind string, words []string) []string {
	translated := slices.Clone(words)
	for i, word := range translated {
		translated[i] = schemas.SchoolWordFR(kind, word)
	}
	return translated
}

// split splits a comma list; nil for "".
func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}
