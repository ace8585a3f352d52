package serve_test

import (
	"strings"
	"testing"

	"quartier/schemas"
	"quartier/serve/servetest"
)

func (a *api) profile(who, path string) schemas.ProfileAnswer {
	a.t.Helper()
	body := answerOf[schemas.ProfileAnswer](a.t, a, who, "/v3/profiles"+path)
	if body.Meta.Meta != schemas.NewMeta("profiles", 200) || body.Data.Type != "profiles" || body.Meta.Geometry == nil {
		a.t.Errorf("%s: %+v", path, body)
	}
	return body
}

// TestProfileAtPoint checks which geography is chosen: the smallest that has a profile, or that of the level.
func TestProfileAtPoint(t *testing.T) {
	a := newAPI(t)
	for _, c := range []struct{ who, query, want string }{
		{"full", north, servetest.NorthOld},
		{"full", north + "&level=null", servetest.NorthOld},
		{"full", north + "&level=10", servetest.NorthOld},
		{"full", north + "&level=20", servetest.Borough},
		{"full", north + "&level=30", servetest.NorthCity},
		{"quebec", "lat=45.29&lng=-72.8", servetest.NorthCity}, // outside of the smaller ones
		{"us", south, servetest.SouthOld},
	} {
		if got := a.profile(c.who, "?"+c.query).Data.ID; got != c.want {
			t.Errorf("%s as %s: %s, want %s", c.query, c.who, got, c.want)
		}
	}
}

// TestProfileInBothLanguages checks texts, headings and names in both countries.
func TestProfileInBothLanguages(t *testing.T) {
	a := newAPI(t)
	for _, c := range []struct{ path, name, summary, heading string }{
		{servetest.NorthOld, "Old North", "<p>Old North: summary. Two parks are near.</p>", "Character"},
		{servetest.NorthOld + "?locale=fr", "Vieux-Nord", "<p>Vieux-Nord : summary. Deux parcs sont près d’ici.</p>", "Caractère"},
		{servetest.SouthOld + "?locale=fr", "Vieux-Sud", "<p>Old South: summary. Two parks are near.</p>", "Character"},
	} {
		got := a.profile("full", "/"+c.path)
		if got.Data.Name != c.name || got.Data.Profiles.Summary != c.summary || got.Meta.Sections.Character != c.heading {
			t.Errorf("%s: %+v", c.path, got)
		}
	}
	french := a.profile("full", "?locale=fr&"+north).Meta.Sections
	if want := (schemas.ProfileTitles{Summary: "Résumé", Transport: "Transport", Services: "Services", Character: "Caractère",
		Housing: "Logement"}); french != want {
		t.Errorf("titles in French are %+v", french)
	}
}

// TestProfileIsHTML checks that names are escaped once in texts and not at all elsewhere, that sections without sentences
// are empty, and the box and centroid.
func TestProfileIsHTML(t *testing.T) {
	a := newAPI(t)
	got := a.profile("full", "/"+servetest.Borough)
	if got.Data.Name != servetest.HostileName {
		t.Errorf("the name is %q", got.Data.Name)
	}
	if want := `<p>L&#39;Île &lt;b&gt;&#34;d&#39;Or&#34;&lt;/b&gt; &amp; Cie is a borough.</p>`; got.Data.Intro != want {
		t.Errorf("the intro is %q", got.Data.Intro)
	}
	if p := got.Data.Profiles; p.Summary+p.Transport+p.Services+p.Character != "" || p.Housing != "<p>Most homes are houses.</p>" {
		t.Errorf("texts %+v", p)
	}
	geography := answerOf[schemas.GeographiesAnswer](t, a, "full", "/v3/geographies/"+servetest.Borough).Data.Geographies[servetest.Borough]
	if got.Data.BoundingBox != *geography.BoundingBox || got.Data.Centroid != *geography.Centroid {
		t.Errorf("box %+v and centroid %+v, the look-up has %+v and %+v", got.Data.BoundingBox, got.Data.Centroid, geography.BoundingBox,
			geography.Centroid)
	}
	if body := a.get("full", "/v3/profiles/"+servetest.Borough).body; !strings.Contains(body, `"geometry":[]`) ||
		!strings.Contains(body, `"transport":""`) {
		t.Errorf("the body is %s", body)
	}
}

func TestProfileOfSupersededGeography(t *testing.T) {
	a := newAPI(t)
	replaced, gone := a.profile("full", "/"+servetest.Replaced), a.profile("full", "/"+servetest.Gone)
	if d := replaced.Meta.Deprecation; d == nil || d.ReplacedBy == nil || d.ReplacedBy.GeogID != servetest.NorthOld {
		t.Errorf("deprecation %+v", d)
	}
	if d := gone.Meta.Deprecation; d == nil || d.ReplacedBy != nil || gone.Data.Profiles.Housing == "" {
		t.Errorf("%+v", gone)
	}
	if current := a.profile("full", "/"+servetest.NorthOld); current.Meta.Deprecation != nil {
		t.Errorf("%+v", current.Meta)
	}
}
