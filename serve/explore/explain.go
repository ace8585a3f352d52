package explore

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/http"
	"slices"

	"quartier/schemas"
	"quartier/serve/release"
)

// Explainer explains the scores of one release. It is used by one goroutine at a time.
type Explainer interface {
	// Explain returns the JSON of quartier explain for scores at a point, with its texts in a language, "en" or "fr"; nil where
	// no street is near. Places that mayShow refuses are without name and coordinates.
	Explain(ctx context.Context, lng, lat float64, scores []string, language string, mayShow func(lng, lat float64) bool) ([]byte, error)
	Close() error
}

// ErrNotExplained is wrapped by an error of Options.Explainer for a release that this program cannot explain, for reasons
// that are for people.
var ErrNotExplained = errors.New("this program cannot explain this release")

// explainedFiles are the files that an Explainer reads, besides access.pack, which is verified with what is served.
var explainedFiles = []string{schemas.AccessFile, schemas.POIsFile, schemas.SchoolsFile}

// openExplainer verifies the files of a release that are not served, and opens them.
func (e *Explorer) openExplainer(ctx context.Context, r *release.Release) (Explainer, error) {
	for _, name := range explainedFiles {
		if err := e.releases.VerifyFile(ctx, r, name); errors.Is(err, fs.ErrNotExist) {
			return nil, errNoFiles
		} else if err != nil {
			e.log.Error("a file of the release is not what its manifest says: nothing is explained", "error", err)
			return nil, errDamagedFiles
		}
	}
	made, err := e.open(r.Folder())
	if errors.Is(err, ErrNotExplained) {
		e.log.Warn("nothing is explained", "error", err)
		return nil, errNotExplained
	}
	return made, err
}

func (e *Explorer) closeExplainer(x Explainer) {
	if err := x.Close(); err != nil {
		e.log.Warn("the files of a release cannot be closed", "error", err)
	}
}

// answerExplain answers with what counted for the scores at a point: /explore/explain?lat=45.4&lng=-75.7&score=quiet&language=fr.
//
// The API is asked for the same scores first. What it refuses is passed on as it is, so that rights, regions, limits and
// errors are the same. Where it knows no score the explanation says why.
func (e *Explorer) answerExplain(v *visit, _ string) error {
	if e.open == nil {
		return errNotExplained
	}
	api := &captured{header: v.W.Header()}
	v.API(api, callOf(v.HTTP, "/v3/scores", queryOfScores(v.HTTP.URL.RawQuery)), v.account)
	if api.status != http.StatusOK && api.status != http.StatusNoContent {
		return api.send(v)
	}
	if !v.account.Agreement.AllowsProduct("pois") {
		return errExplainsPOIs
	}
	asked, err := parseExplained(v.HTTP)
	if err != nil {
		return errBadPoint // the API takes nothing else
	}
	scores := asked.scores.V
	if len(scores) == 0 {
		scores = v.account.Agreement.Scores
	}
	return e.explainAt(v, asked.lng.V, asked.lat.V, scores, asked.language.V)
}

func (e *Explorer) explainAt(v *visit, lng, lat float64, scores []string, language string) error {
	r, err := e.openRelease(v)
	if err != nil {
		return err
	}
	defer r.Done()
	mayShow := func(lng, lat float64) bool {
		return allowsAny(&v.account.Agreement, r.Geographies.RegionsAt(nil, lng, lat))
	}
	var body []byte
	err = e.explainers.use(v.HTTP.Context(), r, r.Digest(), e.now(), func(ctx context.Context, x Explainer) (err error) {
		body, err = x.Explain(ctx, lng, lat, scores, language, mayShow)
		return err
	})
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errPreparing
	case err != nil:
		return err
	case body == nil:
		v.W.WriteHeader(http.StatusNoContent)
		return nil
	}
	write(v, http.StatusOK, jsonType, body)
	return nil
}

// captured is an answer of the API that may be passed on. It shares the headers of the answer that it becomes.
type captured struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (c *captured) Header() http.Header { return c.header }

func (c *captured) WriteHeader(status int) {
	if c.status == 0 {
		c.status = status
		for _, name := range []string{"Content-Length", "Content-Type", "Etag"} {
			if status < http.StatusBadRequest { // of a body that is not sent
				delete(c.header, name)
			}
		}
		for name, values := range c.header {
			c.header[name] = slices.Clone(values) // the API uses their memory for other requests
		}
		c.header["Cache-Control"] = noStore
	}
}

func (c *captured) Write(body []byte) (int, error) {
	c.WriteHeader(http.StatusOK)
	if c.status == http.StatusOK {
		return len(body), nil
	}
	return c.body.Write(body)
}

// send passes the answer on.
func (c *captured) send(v *visit) error {
	v.W.WriteHeader(c.status)
	if v.HTTP.Method != http.MethodHead && c.body.Len() > 0 {
		v.W.Write(c.body.Bytes()) // fails only when the caller has hung up
	}
	return nil
}
