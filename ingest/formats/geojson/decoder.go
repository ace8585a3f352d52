package geojson

import (
	"encoding/json"
	"fmt"
	"io"

	"quartier/ingest/source"
)

// NewDecoder returns a decoder of JSON without its byte order mark that keeps no value beyond the limit of a feature in
// memory. The error of a larger one wraps source.ErrTooLarge.
func NewDecoder(r io.Reader, limits source.Limits) *json.Decoder {
	return newDecoder(withoutMark(r), limits)
}

func newDecoder(r io.Reader, limits source.Limits) *json.Decoder {
	in := &valueInput{r: r, limits: limits}
	in.dec = json.NewDecoder(in)
	return in.dec
}

// valueInput gives a decoder no more bytes beyond its offset, where the value begins that it is reading, than a value may
// have.
type valueInput struct {
	r      io.Reader
	dec    *json.Decoder
	given  int64 // bytes so far
	limits source.Limits
}

// Read implements io.Reader.
func (in *valueInput) Read(b []byte) (int, error) {
	begin := in.dec.InputOffset()
	left := begin + in.limits.Feature() - in.given
	if left <= 0 {
		return 0, in.limits.FeatureTooLarge(fmt.Sprintf("the value at byte %d", begin))
	}
	n, err := in.r.Read(b[:min(int64(len(b)), left)])
	in.given += int64(n)
	return n, err
}
