package serve_test

import (
	"fmt"
	"math"
	"net/url"
	"strings"
	"testing"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkt"

	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/serve/servetest"
)

// total is the population in an answer.
func total(t *testing.T, of map[string]schemas.DemographicsCategory) float64 {
	t.Helper()
	variables := of["population_total"].Variables
	if len(variables) != 1 || variables[0].Variable != "popn_total" {
		t.Fatalf("population_total is %+v", variables)
	}
	return variables[0].Value
}

// TestPeopleInAPolygon counts the western block of the north, with three quarters of its population, and all of it.
func TestPeopleInAPolygon(t *testing.T) {
	a := newAPI(t)
	west := servetest.WesternBlock()
	all := orb.Ring{{-73, 45.1}, {-72.7, 45.1}, {-72.7, 45.25}, {-73, 45.25}, {-73, 45.1}}
	for _, c := range []struct {
		ring orb.Ring
		want float64
	}{{west, servetest.NorthPeople * 3 / 4}, {all, servetest.NorthPeople}} {
		got := answerOf[schemas.DemographicsAnswer](t, a, "full",
			"/v3/demographics?polygon="+url.QueryEscape(wkt.MarshalString(orb.Polygon{c.ring})))
		if people := total(t, got.Data.Attributes); people != c.want {
			t.Errorf("%v: %v people, want %v", c.ring, people, c.want)
		}
		if got.Data.Type != "demographics" ||
			got.Data.Meta != (schemas.DemographicsMeta{CountryCode: "CA", Language: "en", Version: schemas.DemographicsVersion}) ||
			got.Meta.Message != "Successfully called v3/demographics API." {
			t.Errorf("%+v %+v", got.Data.Meta, got.Meta)
		}
		checkShares(t, got.Data.Attributes)
		for _, absent := range []string{"employment_status", "bedrooms"} {
			if _, known := got.Data.Attributes[absent]; known {
				t.Errorf("%s is in an answer about Canada", absent)
			}
		}
		income := got.Data.Attributes["income"].Variables
		if len(income) != 2 || income[0].Value != 54321 || income[1].Value != 54321 {
			t.Errorf("mean incomes %+v", income)
		}
	}
}

// checkShares checks that the shares of each category add up to one, and types and labels.
func checkShares(t *testing.T, of map[string]schemas.DemographicsCategory) {
	t.Helper()
	if len(of) < 9 {
		t.Errorf("%d categories", len(of))
	}
	for _, category := range demographics.Around {
		answered, ok := of[category.ID]
		if !ok {
			continue
		}
		sum := 0.0
		for _, v := range answered.Variables {
			sum += v.Value
			if v.Label == "" {
				t.Errorf("%s has no label", v.Variable)
			}
		}
		if answered.Type != category.Type() || answered.Type == "percent" && math.Abs(sum-1) > 1e-9 {
			t.Errorf("%s is %s and adds up to %v", category.ID, answered.Type, sum)
		}
	}
}

func TestPeopleAroundAPoint(t *testing.T) {
	a := newAPI(t)
	before := 0.0
	for _, radius := range []string{"radius=50", "", "radius=0.4&radius_unit=mile", "radius=900", "radius=19000"} {
		got := answerOf[schemas.DemographicsAnswer](t, a, "full", "/v3/demographics?"+north+"&"+radius)
		people := total(t, got.Data.Attributes)
		if people <= before || people > servetest.NorthPeople {
			t.Errorf("%q: %v people, %v in the smaller circle", radius, people, before)
		}
		before = people
	}
	if before != servetest.NorthPeople {
		t.Errorf("%v people within 19 km", before)
	}
	en, fr := a.get("full", "/v3/demographics?"+south+"&language=en"), a.get("full", "/v3/demographics?"+south+"&language=fr")
	if en.body == fr.body {
		t.Error("French and English are the same")
	}
	for _, c := range demographics.Around {
		fr.body = strings.Replace(fr.body, c.Label("fr")+`","type"`, c.Label("en")+`","type"`, 1)
		for _, v := range c.Variables {
			fr.body = strings.ReplaceAll(fr.body, `"label":"`+v.Label("US", "fr")+`"`, `"label":"`+v.Label("US", "en")+`"`)
		}
	}
	if fr.body = strings.Replace(fr.body, `"language":"fr"`, `"language":"en"`, 1); fr.body != en.body {
		t.Errorf("the languages differ in more than labels:\n%s\n%s", en.body, fr.body)
	}
}

// TestPeopleOfTheAgreement checks that people outside of the agreement or in the other country are not counted.
func TestPeopleOfTheAgreement(t *testing.T) {
	a := newAPI(t)
	wide := "POLYGON((-72.85 44.79,-72.75 44.79,-72.75 45.22,-72.85 45.22,-72.85 44.79))" // both cities
	canada := answerOf[schemas.DemographicsAnswer](t, a, "quebec", "/v3/demographics?polygon="+url.QueryEscape(wide))
	if people := total(t, canada.Data.Attributes); people != servetest.NorthPeople {
		t.Errorf("%v people in Quebec", people)
	}
	if got := a.get("us", "/v3/demographics?polygon="+url.QueryEscape(wide)); got.status != 401 {
		t.Errorf("the centroid is in Quebec: %d %s", got.status, got.body)
	}
}

func TestPeopleOfAGeography(t *testing.T) {
	a := newAPI(t)
	for described, id := range servetest.Described {
		got := answerOf[schemas.GeographyDemographicsAnswer](t, a, "full", "/v3/demographics/"+id)
		country, vintage := "CA", "2021 Census of Population"
		if id == servetest.SouthCity {
			country, vintage = "US", "American Community Survey 2019–2023 5-year estimates; 2020 Decennial Census"
			if v := got.Data.Meta.Vintages; len(v) != 3 || v["population_total"] != "2020 Decennial Census" ||
				v["income_stats"] != "American Community Survey 2019–2023 5-year estimates" {
				t.Errorf("%s: vintages %v", id, v)
			}
			fr := answerOf[schemas.GeographyDemographicsAnswer](t, a, "full", "/v3/demographics/"+id+"?language=fr").Data.Meta
			if fr.DataVintage != "American Community Survey 2019–2023, estimations sur 5 ans; Recensement décennal de 2020" ||
				fr.Vintages["population_total"] != "Recensement décennal de 2020" {
				t.Errorf("%s: %+v", id, fr)
			}
		}
		meta := got.Data.Meta
		if meta.CountryCode != country || meta.DataVintage != vintage || meta.ConfidenceLevel != schemas.ConfidenceLevel ||
			meta.Version != schemas.DemographicsVersion || got.Data.Type != "demographics" {
			t.Errorf("%s: %+v", id, meta)
		}
		if superseded := got.Meta.Deprecation != nil; superseded != (id == servetest.Replaced) {
			t.Errorf("%s: deprecation %+v", id, got.Meta.Deprecation)
		}
		seen := 0
		for place, at := range demographics.Flat(demographics.ByGeography) {
			category := &demographics.ByGeography[at.Category]
			v := &category.Variables[at.Variable]
			want := servetest.GeographyFigure(described, place)
			var answered *schemas.GeographyDemographicsVariable
			for i, candidate := range got.Data.Attributes[category.ID].Variables {
				if candidate.Variable == v.ID {
					answered = &got.Data.Attributes[category.ID].Variables[i]
					seen++
				}
			}
			if (answered != nil) != want.Present {
				t.Errorf("%s: %s is %+v, want %+v", id, v.ID, answered, want)
				continue
			}
			if answered == nil {
				continue
			}
			if answered.Value != want.Value || answered.Type != v.Type() || answered.Label != v.Label(country, "en") ||
				(answered.ConfidenceInterval != nil) != want.Interval ||
				(answered.Open != nil) != (want.Open != "") || answered.Open != nil && *answered.Open != string(want.Open) ||
				want.Interval && *answered.ConfidenceInterval != (schemas.ConfidenceInterval{Lower: want.Lower, Upper: want.Upper}) {
				t.Errorf("%s: %s is %+v with %+v, want %+v", id, v.ID, answered, answered.ConfidenceInterval, want)
			}
		}
		if seen < 80 {
			t.Errorf("%s: %d variables", id, seen)
		}
	}
}

// TestSnapshotOfPeople compares the demographics of the snapshot with those of their own endpoint.
func TestSnapshotOfPeople(t *testing.T) {
	a := newAPI(t)
	for _, radius := range []string{"", "&radius=700", "&radius=0.5&radius_unit=mile"} {
		own := answerOf[schemas.DemographicsAnswer](t, a, "full", "/v3/demographics?"+north+radius)
		got := answerOf[schemas.SnapshotAnswer](t, a, "full", "/v3/data?include=demographics,pois_count&"+north+radius)
		if fmt.Sprint(got.Data.Demographics) != fmt.Sprint(own.Data.Attributes) || got.Data.POIs == nil || got.Data.Scores != nil {
			t.Errorf("%q: %+v", radius, got.Data)
		}
	}
}
