// Package card answers with a picture of the scores at a point, for listings and e-mail.
//
// In: a place of the release, the scores of the agreement, a language and a theme. Out: an SVG with its font in it, or a PNG of twice
// its size, of the same pieces (draw.go): without a script or an address outside, and the same bytes for the same release.
package card

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"quartier/schemas"
	"quartier/schemas/attributions"
	"quartier/schemas/feeds"
	"quartier/schemas/scoretexts"
	"quartier/serve/account"
	"quartier/serve/endpoint"
	"quartier/serve/param"
	"quartier/serve/product/scores"
	"quartier/serve/scope"
)

type query struct {
	Lat, Lng    param.Value[float64]
	Lang, Theme param.Value[string]

	Expires, Signature param.Value[string] // which were checked
}

// SVG is GET /v3/card.svg.
func SVG() endpoint.Endpoint { return define("getCardSvg", "svg", "image/svg+xml", writeSVG) }

// PNG is GET /v3/card.png.
func PNG() endpoint.Endpoint { return define("getCardPng", "png", "image/png", writePNG) }

func define(name, ending, media string, write func([]byte, *picture) ([]byte, error)) endpoint.Endpoint {
	return endpoint.Define(endpoint.Endpoint{
		Name:    name,
		Path:    "/v3/card." + ending,
		Product: "scores",
		Key:     account.Signing,
		Media:   media,
		Summary: "Picture of the location scores at a point, as " + strings.ToUpper(ending),
		Doc: "Six of the scores of the agreement, for a listing or an e-mail. With a signing key the query also has key, expires and " +
			"signature: the hexadecimal HMAC-SHA256, by the secret of the key, of the path, ? and all parameters but signature, sorted by " +
			"name and escaped as in RFC 3986; expires is in Unix seconds, at most 400 days ahead.",
		Refuses: []error{param.ErrRange, scope.ErrOutside, scope.ErrRegion, endpoint.ErrNothing},
	}, param.NewSet(nil,
		param.Latitude("lat", func(q *query) *param.Value[float64] { return &q.Lat }).Required(),
		param.Longitude("lng", func(q *query) *param.Value[float64] { return &q.Lng }).Required(),
		param.Choice("lang", endpoint.Languages[0], endpoint.Languages, func(q *query) *param.Value[string] { return &q.Lang }).
			Doc("Language of the texts."),
		param.Choice("theme", "light", []string{"light", "dark"}, func(q *query) *param.Value[string] { return &q.Theme }).
			Doc("Colours of the picture."),
		param.Phrase("expires", 20, func(q *query) *param.Value[string] { return &q.Expires }).Doc("With a key: Unix seconds."),
		param.Phrase("signature", 64, func(q *query) *param.Value[string] { return &q.Signature }).Doc("With a key: of all other parameters."),
	), func(r *endpoint.Request, q *query, values *[schemas.ChannelCount]uint16) (err error) {
		if err := r.Release.CheckPlace(q.Lng.V, q.Lat.V); err != nil {
			return err
		}
		known := values[schemas.FirstScore:]
		if !r.Release.ValuesAt(q.Lng.V, q.Lat.V, values) || !scores.AnyKnown(known, r.Client.Scores) {
			return endpoint.ErrNothing
		}
		r.Body, err = write(r.Body, draw(contentOf(r, q, known), q.Theme.V))
		return err
	})
}

// content is what a picture says, in one language.
type content struct {
	language     string
	name, within string // of the place; within: "" where it is in nothing larger
	scores       []score
	date         string
	attributions []string
}

// score is a line of a picture.
type score struct {
	label, text string
	value       uint16 // schemas.AbsentValue where it is not known
	number      string // "4.5"; "" where it is not known
}

// first are the scores that are chosen first: what most people ask about.
var first = []string{"pedestrian_friendly", "transit_friendly", "groceries", "parks", "primary_schools", "quiet"}

// choose are the scores of the agreement that a picture shows, at most six, by index in schemas.Scores: those that are not known where
// there are no others.
func choose(set endpoint.ScoreSet, values []uint16) (chosen []int) {
	for _, known := range []bool{true, false} {
		for _, id := range slices.Concat(first, account.Scores) {
			i := slices.Index(account.Scores, id)
			if set&(1<<i) != 0 && (values[i] != schemas.AbsentValue) == known && len(chosen) < 6 && !slices.Contains(chosen, i) {
				chosen = append(chosen, i)
			}
		}
	}
	return chosen
}

// named are the levels of which a place has its name.
var named = schemas.NewLevelSet(schemas.Neighbourhood, schemas.Borough, schemas.Municipality, schemas.CountySubdivision, schemas.County,
	schemas.Region, schemas.State)

func contentOf(r *endpoint.Request, q *query, values []uint16) *content {
	c := &content{language: q.Lang.V, date: r.Release.Manifest().AsOf}
	for _, i := range choose(r.Client.Scores, values) {
		s := score{label: schemas.Scores[i].Label.In(c.language), value: values[i], text: schemas.Text{EN: "not known", FR: "inconnu"}.In(c.language)}
		if s.value != schemas.AbsentValue {
			s.value = uint16((uint32(s.value) + schemas.Step/2) / schemas.Step * schemas.Step)
			s.number = string(scores.AppendValue(nil, s.value))
			s.text = scoretexts.Of(i, s.value).In(c.language)
		}
		if c.language == "fr" {
			s.number = strings.Replace(s.number, ".", ",", 1)
		}
		c.scores = append(c.scores, s)
	}
	c.nameAt(r, q)
	for _, line := range attributions.Of(feeds.Of(r.Release.Manifest().Sources, "scores", "geographies")) {
		if text := line.Text.In(c.language); !slices.Contains(c.attributions, text) && text != "" {
			c.attributions = append(c.attributions, text)
		}
	}
	slices.SortStableFunc(c.attributions, func(a, b string) int { // those that a licence wants on every picture
		return cmp.Compare(strings.Index(b, "©"), strings.Index(a, "©"))
	})
	return c
}

// nameAt finds the name of a place and what it is in: those of the smallest geographies that the font has the letters of, in the
// language or else in the other one; else its coordinates.
func (c *content) nameAt(r *endpoint.Request, q *query) {
	var names, town []string
	for _, i := range r.Release.GeographiesAt(nil, q.Lng.V, q.Lat.V, named) {
		name := r.Release.Name(i)
		for _, text := range []string{name.In(c.language), name.EN, name.FR} {
			if text, ok := written(text); ok {
				names = append(names, text)
				if level := r.Release.Level(i); level == schemas.Municipality || level == schemas.State {
					town = append(town, text)
				}
				break
			}
		}
	}
	if len(names) == 0 {
		names = []string{fmt.Sprintf("%.4f, %.4f", q.Lat.V, q.Lng.V)}
	}
	c.name = names[0]
	c.within = strings.Join(slices.DeleteFunc(slices.Compact(town), func(s string) bool { return s == c.name }), ", ")
}
