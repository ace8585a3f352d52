package custom

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"quartier/schemas"
	"quartier/serve/endpoint"
	"quartier/serve/state"
)

// shown is a request as callers see it.
func shown(r *state.Request, withBoundaries bool) schemas.CustomGeography {
	out := schemas.CustomGeography{
		GeoEntityID: r.ID, NameEN: r.NameEN, NameFR: r.NameFR, Type: r.Type,
		ProcessingStatus: string(r.Status), UpdatedAt: r.UpdatedAt.Format("2006-01-02T15:04:05.000000Z"),
		GeogID: orNull(r.GeogID), PublishedAt: orNull(r.PublishedAt),
	}
	if r.Earlier.GeogID != "" {
		out.Published = &schemas.CustomPublication{GeogID: r.Earlier.GeogID, PublishedAt: r.Earlier.At}
	}
	if r.Problem.Message != "" {
		out.ProcessingDetail = &schemas.CustomProblem{Code: r.Problem.Code, Message: r.Problem.Message, Since: r.Problem.Since}
	}
	if withBoundaries {
		out.Boundaries = &r.Boundaries
	}
	return out
}

func orNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func write(r *endpoint.Request, answer any) error {
	body, err := endpoint.Encode(answer)
	r.Body = append(r.Body, body...)
	return err
}

func writeReceipt(r *endpoint.Request, changed *state.Request, status int) error {
	r.Version = versionOf(changed)
	return write(r, schemas.CustomGeographyReceipt{
		GeoEntityID: changed.ID, ProcessingStatus: string(changed.Status), Meta: schemas.NewMeta(resource, status),
	})
}

// versionOf is the ETag of a request without quotes. It changes with all that the request shows.
func versionOf(r *state.Request) string {
	const separator = "\x00" // is in no field
	return digest([]byte(strings.Join([]string{
		r.ID, r.NameEN, r.NameFR, r.Type, r.Boundaries, string(r.Status), r.GeogID, r.PublishedAt, r.UpdatedAt.Format(time.RFC3339Nano),
		r.Earlier.GeogID, r.Earlier.At, r.Problem.Code, r.Problem.Message, r.Problem.Since,
	}, separator)))
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}

// matcher reports whether If-Match has the ETag of a request, of the body in whatever content coding; nil without If-Match.
// Weak ETags match nothing, as RFC 9110 has it.
func matcher(header http.Header) func(*state.Request) bool {
	known := strings.TrimSpace(strings.Join(header.Values("If-Match"), ","))
	if known == "" {
		return nil
	}
	return func(r *state.Request) bool {
		version := versionOf(r)
		for tag := range strings.SplitSeq(known, ",") {
			switch strings.TrimSpace(tag) {
			case "*", `"` + version + `"`, `"` + version + `-gzip"`, `"` + version + `-zstd"`:
				return true
			}
		}
		return false
	}
}
