package reply

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"quartier/serve/coding"
)

// Writer has what the answers of a server have in common. It is made by NewWriter and safe for concurrent use.
type Writer struct {
	Varies []string // Vary of v3 answers

	log          *slog.Logger
	cacheControl []string
	sunset       []string // nil without a date
	origins      origins
	compressors  coding.Compressors
}

// NewWriter makes a writer: callers may cache answers for maxAge, pages of the origins, such as "https://maps.example.com", may read
// them, and superseded ids may cease to be answered at sunset (RFC 8594), zero: never. Errors of the state are logged.
func NewWriter(maxAge time.Duration, origins []string, sunset time.Time, log *slog.Logger) (*Writer, error) {
	parsed, err := newOrigins(origins)
	if err != nil {
		return nil, err
	}
	a := &Writer{Varies: varies, log: log, origins: parsed, cacheControl: []string{fmt.Sprintf("private, max-age=%d", int(maxAge.Seconds()))}}
	if !sunset.IsZero() {
		a.sunset = []string{sunset.UTC().Format(http.TimeFormat)}
	}
	if parsed != nil {
		a.Varies = originVaries
	}
	return a, nil
}

// Values of headers, shared by all answers.
var (
	JSON    = []string{"application/json"}
	NoStore = []string{"no-store"}

	alwaysAsk = []string{"private, max-age=0"}
	retrySoon = []string{"1"}
	varies    = []string{"Authorization, Accept, Accept-Encoding"}
)
