package demographics

import (
	"quartier/internal/pack/people"
	"quartier/schemas"
	vocabulary "quartier/schemas/demographics"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/scope"
)

// byGeographyQuery is the query of GET /v3/demographics/{geog_id}.
type byGeographyQuery struct {
	Language param.Value[string]
}

// ByGeography is GET /v3/demographics/{geog_id}.
func ByGeography() endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    "getGeographyDemographics",
		Path:    "/v3/demographics/{geog_id}",
		Product: "demographics",
		Summary: "Demographics of a geography, with confidence intervals",
		Doc: "As published for the geography itself or its counties, otherwise added up over small census areas, of which data.meta.coverage " +
			"is the share of the ground: without counts below 0.9. Intervals are at 90 %; a figure " +
			"whose error is unknown has none. Geographies in a metro area also have the affordability of housing: the metro " +
			"area's median household income divided by the value of a home in the geography.",
		Levels:  endpoint.UpToMetro,
		Body:    schemas.GeographyDemographicsAnswer{},
		Refuses: []error{scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet(nil,
		endpoint.Language("Language of labels.", func(q *byGeographyQuery) *param.Value[string] { return &q.Language }),
	), answerByGeography)
}

// answerByGeography appends a schemas.GeographyDemographicsAnswer to the body.
func answerByGeography(r *endpoint.Request, q *byGeographyQuery, _ *struct{}) error {
	i, err := r.Release.Geography(r.Segment)
	if err != nil {
		return err
	}
	record, ok := r.Release.Demographics(i)
	if !ok {
		return endpoint.ErrNothing
	}
	of := edition{record.Country(), q.Language.V}
	b := append(r.Body, `{"data":{"type":"demographics","attributes":{`...)
	b = appendRecord(b, geographyFragments[of], &record)
	b = endpoint.Append(b, `},"meta":`, dataMeta[of], `,"confidence_level":0.9,"data_vintage":`)
	b = of.appendVintages(b, &record)
	if coverage := record.Coverage(); coverage != people.Absent {
		b = appendCoverage(b, coverage)
	}
	b = endpoint.Append(b, `}},"meta":`, demographicsMeta)
	b = endpoint.AppendDeprecation(b, r.Release.Deprecation(i))
	r.Body = append(b, `}}`...)
	return nil
}

// appendVintages appends the names of the surveys that the figures are from, and as a further member those of categories where
// they differ.
func (of edition) appendVintages(b []byte, record *people.Record) []byte {
	b = endpoint.AppendText(b, vocabulary.SurveyNames(of.country, record.Vintage(), of.language))
	opening := `,"vintages":{`
	record.EachVintage(func(category, vintage string) {
		b = endpoint.AppendText(append(b, opening...), category)
		b = endpoint.AppendText(append(b, ':'), vocabulary.SurveyNames(of.country, vintage, of.language))
		opening = ","
	})
	if opening == "," {
		b = append(b, '}')
	}
	return b
}

// appendRecord appends the categories of a geography that have figures, separated by commas.
func appendRecord(b []byte, categories []categoryFragments, record *people.Record) []byte {
	begin, at := len(b), 0
	for i := range categories {
		c := &categories[i]
		b = append(b, c.head...)
		first := len(b)
		for n := range c.variables {
			value, lower, upper := record.Value(at + n)
			if value == people.Absent {
				continue
			}
			v := &c.variables[n]
			b = append(b, v.head...)
			b = appendScaled(b, value, v.decimals)
			switch {
			case lower == people.Absent && upper == people.Absent:
				b = append(b, v.tail...)
				continue
			case upper == people.Absent:
				b = append(b, v.upper...)
				continue
			case lower == people.Absent:
				b = append(b, v.lower...)
				continue
			}
			b = append(b, v.between...)
			b = appendScaled(b, lower, v.decimals)
			b = append(b, `,"upper":`...)
			b = appendScaled(b, upper, v.decimals)
			b = append(b, "}},"...)
		}
		at += len(c.variables)
		b = c.close(b, first)
	}
	return trimComma(b, begin)
}
