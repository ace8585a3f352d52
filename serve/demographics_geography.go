package serve

import (
	"quartier/internal/pack/people"
	"quartier/schemas"
	"quartier/serve/param"
)

// geographyPeopleQuery is the query of GET /v3/demographics/{geog_id}.
type geographyPeopleQuery struct {
	Language param.Value[string]
}

var peopleOfGeography = define(route{
	path:    "/v3/demographics/{geog_id}",
	product: "demographics",
	summary: "People of a geography, with confidence intervals",
	doc: "As published for the geography itself, else added up over small census areas. Intervals are of 90 %; a figure of " +
		"which no error is known has none. Inside a metro area the affordability of housing is told too: the metro's median " +
		"household income over what a home in the geography is worth.",
	levels:  scoredLevels,
	answer:  schemas.GeographyDemographicsAnswer{},
	refuses: []error{errRegion, errNothing},
}, param.NewSet(nil,
	param.Choice("language", "en", languages, func(q *geographyPeopleQuery) *param.Value[string] { return &q.Language }).
		Doc("Language of labels."),
), answerPeopleOfGeography)

func answerPeopleOfGeography(x *exchange, q *geographyPeopleQuery) error {
	i, err := x.view.geography(lastSegment(pathOf(x.r.URL)))
	if err != nil {
		return err
	}
	record, ok := x.view.geographyPeople(i)
	if !ok {
		return errNothing
	}
	of := labelled{record.Country(), q.Language.V}
	b := append(x.body[:0], `{"data":{"type":"demographics","attributes":{`...)
	b = appendRecord(b, geographyPieces[of], &record)
	b = append(b, `},"meta":`...)
	b = append(b, demographicsMeta[of]...)
	b = append(b, `,"confidence_level":0.9,"data_vintage":`...)
	b = appendText(b, record.Vintage())
	b = append(b, `}},"meta":`...)
	b = append(b, peopleMeta...)
	b = appendDeprecation(b, x.view.deprecation(i))
	x.body = append(b, `}}`...)
	return nil
}

// appendRecord appends the members of the categories that any figure is known of, with commas between them.
func appendRecord(b []byte, pieces []categoryPieces, record *people.Record) []byte {
	at, begin := 0, len(b)
	for i := range pieces {
		p := &pieces[i]
		before := len(b)
		b = append(b, p.head...)
		first := len(b)
		for n := range p.variables {
			value, lower, upper := record.Value(at + n)
			if value == people.Absent {
				continue
			}
			v := &p.variables[n]
			b = append(b, v.head...)
			b = appendScaled(b, value, v.decimals)
			if lower == people.Absent {
				b = append(b, v.tail...)
				b = append(b, "},"...)
				continue
			}
			b = append(b, v.between...)
			b = appendScaled(b, lower, v.decimals)
			b = append(b, `,"upper":`...)
			b = appendScaled(b, upper, v.decimals)
			b = append(b, "}},"...)
		}
		at += len(p.variables)
		if len(b) == first {
			b = b[:before]
			continue
		}
		b[len(b)-1] = ']'
		b = append(b, '}', ',')
	}
	if len(b) > begin {
		b = b[:len(b)-1]
	}
	return b
}
