package explore

import (
	"bytes"
	"html/template"
	"strings"
)

var htmlType = []string{"text/html; charset=utf-8"}

// words is the page for those who are not let in. With Script it goes on by itself; the text is then for those who run none.
var words = template.Must(template.New("words").Parse(`<!doctype html>
<html lang="{{.Language}}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>quartier</title>
{{with .Script}}<script src="{{.}}"></script>
{{end}}<main>
<h1>quartier</h1>
{{if .Script}}<noscript>
{{end}}<p>{{.Text}}</p>
{{if .Script}}</noscript>
{{end}}{{with .Link}}<p><a href="{{.}}">{{$.Retry}}</a></p>
{{end}}</main>
</html>
`))

// writeWords answers people with an error. Those whose browser may have a session that it did not send, as it comes from a
// page of another site, get a link that leads on from here; where they have no error yet, the page follows it by itself.
func (e *Explorer) writeWords(v *visit, p *problem) {
	data := struct{ Language, Text, Retry, Link, Script string }{Language: "en", Text: p.en,
		Retry: "Open the explorer with the session of this browser"}
	if prefersFrench(v.HTTP.Header.Get("Accept-Language")) {
		data.Language, data.Text, data.Retry = "fr", p.fr, "Ouvrir l'explorateur avec la session de ce navigateur"
	}
	switch p {
	case errNoSession, errWrongKey, errUsedKey, errOldKey:
		data.Link = againPath
	}
	if p == errNoSession && mayBeWithheld(v) {
		data.Script = againScript
	}
	var out bytes.Buffer
	if err := words.Execute(&out, data); err != nil {
		e.log.Error("the explorer failed", "error", err)
	}
	v.W.Header()["Vary"] = []string{"Accept-Language"}
	write(v, p.status, htmlType, out.Bytes())
}

// prefersFrench reports whether French comes before English in an Accept-Language header.
func prefersFrench(accept string) bool {
	for entry := range strings.SplitSeq(accept, ",") {
		switch language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(entry)), "-"); {
		case strings.HasPrefix(language, "fr"):
			return true
		case strings.HasPrefix(language, "en"):
			return false
		}
	}
	return false
}
