package geojson

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"quartier/ingest/source"
)

// Each counts the features and passes them to visit with where they are: name and number in the file. Unreadable ones are
// counted as issues. It returns the first error of visit, of ctx or of a file that cannot be read further.
func (r *Reader) Each(ctx context.Context, name string, out source.Sink, visit func(f Feature, where string) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		f, err := r.Next()
		var single *FeatureError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &single):
			out.Read(1)
			out.Issue(single.Reason, fmt.Sprintf("%s feature %d", name, single.Number))
			continue
		case err != nil:
			return err
		}
		out.Read(1)
		if err := visit(f, fmt.Sprintf("%s feature %d", name, f.Number)); err != nil {
			return err
		}
	}
}

// Values returns the feature's properties, with numbers as json.Number; nil if it has none.
func (f Feature) Values() (map[string]any, error) {
	if f.Properties == nil {
		return nil, nil
	}
	dec := json.NewDecoder(strings.NewReader(string(f.Properties)))
	dec.UseNumber()
	var values map[string]any
	err := dec.Decode(&values)
	return values, err
}

// Text returns one of Values as it is written; "" for null, arrays and objects.
func Text(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
