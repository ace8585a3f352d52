package serve

import (
	"net/http"

	"quartier/serve/embed"
	"quartier/serve/endpoint"
	"quartier/serve/entry"
	"quartier/serve/reply"
)

// sharedHeaders are those of what pages of other sites may load, whoever they are. Immutable names are kept for good.
func sharedHeaders(immutable bool) http.Header {
	header := pageHeaders("Accept-Encoding")
	header["Access-Control-Allow-Origin"] = []string{"*"}
	header["Cross-Origin-Resource-Policy"] = []string{"cross-origin"}
	if immutable {
		header["Cache-Control"] = []string{"public, max-age=31536000, immutable"}
	}
	return header
}

// shared makes the routes of what other sites show of the API, and of the page that shows how. They need no key and have no data.
func (s *Server) shared() ([]*route, error) {
	files, err := embed.Files()
	stored := map[string]*reply.Stored{}
	for _, f := range files {
		stored[f.Name] = reply.NewStored(f.Type, f.Body, sharedHeaders(f.Immutable))
	}
	answer := func(r *request) error {
		if found := stored[lastSegment(pathOf(r.HTTP.URL))]; found != nil {
			return r.writePage(found, true)
		}
		return reply.ErrNoPath
	}
	return []*route{
		service("getPage", embed.Root, "A page", nil, answer),
		service("getShared", embed.Root+"{name}", "What pages of other sites load", nil, answer),
		service("getSharedRelease", embed.Root+"release.json", "Date and attributions of the release", nil, s.answerSharedRelease),
	}, err
}

// answerSharedRelease answers with what everybody may know of the current release.
func (s *Server) answerSharedRelease(r *request) error {
	current := s.options.Releases.Acquire()
	if current == nil {
		return entry.ErrUnavailable
	}
	defer current.Done()
	var ground *[2]int
	if archive := current.Archives["ground"]; archive != nil {
		ground = &[2]int{int(archive.Header().MinZoom), int(archive.Header().MaxZoom)}
	}
	body, _ := endpoint.Encode(embed.ReleaseOf(current.Manifest, ground)) // strings and integers always encode
	return r.writePage(reply.NewStored(reply.JSON[0], body, sharedHeaders(false)), true)
}
