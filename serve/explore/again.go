package explore

import "net/http"

// The cookie of a session is SameSite=Strict: a browser that follows a link of another site does not send it, though it has
// it. Such a visit gets a page with a script, which goes on to againPath. That is a step from this origin, so that the cookie
// is sent, and the fragment, which has the view, is kept. Where there is no session againPath ends in words: nothing goes in
// circles.
const (
	againPath   = Root + "again"
	againScript = Root + "again.js"
)

// againBody is the script. It is the same for everybody and is sent without a session.
var againBody = []byte("location.replace('" + againPath + "' + location.hash);\n")

// mayBeWithheld reports whether a browser may have a session that it did not send, because a page of another site led here.
// Browsers do not say who led here where a server is reached neither by TLS nor over loopback (no Sec-Fetch-Site); it is
// tried there, too.
func mayBeWithheld(v *visit) bool {
	if v.Path != Root || v.HTTP.Method != http.MethodGet {
		return false
	}
	site := v.HTTP.Header["Sec-Fetch-Site"]
	return len(site) == 0 || site[0] == "cross-site"
}

var scriptType = []string{"text/javascript; charset=utf-8"}

// answerAgain sends a visit with a session to the page: 303, after which browsers keep the fragment.
func (e *Explorer) answerAgain(v *visit, _ string) error {
	v.W.Header()["Location"] = []string{Root}
	v.W.WriteHeader(http.StatusSeeOther)
	return nil
}

// answerAgainScript answers with the script of words for a visit whose session may be withheld.
func (e *Explorer) answerAgainScript(v *visit, _ string) error {
	write(v, http.StatusOK, scriptType, againBody)
	return nil
}
