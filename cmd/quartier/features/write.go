package features

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v17/arrow"
	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/paulmach/orb/geojson"

	"quartier/internal/arrowfile"
	"quartier/internal/wellknown"
)

// WriteGeoJSON writes the rows of a file as a collection of features, one on each line. geometry is the column of geometries in
// well-known binary, which are degrees of WGS 84; columns that asIs names have JSON as text. The metadata are a member of their
// own.
func WriteGeoJSON(ctx context.Context, to io.Writer, in arrowfile.Reader, geometry string, asIs []string,
	metadata map[string]string) error {
	out := bufio.NewWriterSize(to, 1<<20)
	about, err := json.Marshal(metadata) // in the order of keys
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "{\"type\":\"FeatureCollection\",\"metadata\":%s,\"features\":[", about)
	written := 0
	err = eachRecord(ctx, in, func(r arrow.Record) error {
		w, err := writerOf(r, geometry, asIs)
		if err != nil {
			return err
		}
		for row := range int(r.NumRows()) {
			if written > 0 {
				out.WriteByte(',')
			}
			written++
			feature, err := w.feature(row)
			if err != nil {
				return fmt.Errorf("row %d: %w", written, err)
			}
			out.WriteByte('\n')
			if _, err := out.Write(feature); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

func eachRecord(ctx context.Context, in arrowfile.Reader, visit func(arrow.Record) error) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := in.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		err = visit(r)
		r.Release()
		if err != nil {
			return err
		}
	}
}

// recordWriter writes the rows of a record.
type recordWriter struct {
	names    [][]byte // as JSON
	columns  []arrow.Array
	asIs     []bool
	geometry *array.Binary
	text     []byte
}

func writerOf(r arrow.Record, geometry string, asIs []string) (*recordWriter, error) {
	w := &recordWriter{}
	raw := map[string]bool{}
	for _, name := range asIs {
		raw[name] = true
	}
	for i, f := range r.Schema().Fields() {
		if f.Name == geometry {
			var ok bool
			if w.geometry, ok = r.Column(i).(*array.Binary); !ok {
				return nil, fmt.Errorf("column %s is %s, not binary", geometry, f.Type)
			}
			continue
		}
		if f.Name == arrowfile.Covering && geometry != "" {
			continue
		}
		name, err := json.Marshal(f.Name)
		if err != nil {
			return nil, err
		}
		w.names, w.columns, w.asIs = append(w.names, name), append(w.columns, r.Column(i)), append(w.asIs, raw[f.Name])
	}
	if w.geometry == nil {
		return nil, fmt.Errorf("there is no column %s with geometries", geometry)
	}
	return w, nil
}

// feature is a row as a feature.
func (w *recordWriter) feature(row int) ([]byte, error) {
	w.text = append(w.text[:0], `{"type":"Feature","properties":{`...)
	for i, name := range w.names {
		if i > 0 {
			w.text = append(w.text, ',')
		}
		w.text = append(append(w.text, name...), ':')
		value, err := jsonValue(w.columns[i], row, w.asIs[i])
		if err != nil {
			return nil, err
		}
		w.text = append(w.text, value...)
	}
	w.text = append(w.text, `},"geometry":`...)
	if w.geometry.IsNull(row) {
		return append(w.text, "null}"...), nil
	}
	g, err := wellknown.Read(w.geometry.Value(row))
	if err != nil {
		return nil, err
	}
	geometry, err := json.Marshal(geojson.NewGeometry(g))
	if err != nil {
		return nil, err
	}
	return append(append(w.text, geometry...), '}'), nil
}

// jsonValue is a value as JSON.
func jsonValue(column arrow.Array, row int, asIs bool) ([]byte, error) {
	if column.IsNull(row) {
		return []byte("null"), nil
	}
	switch c := column.(type) {
	case *array.String:
		if text := c.Value(row); asIs && json.Valid([]byte(text)) {
			return []byte(text), nil
		}
		return json.Marshal(c.Value(row))
	case *array.Float64:
		if v := c.Value(row); math.IsNaN(v) || math.IsInf(v, 0) {
			return []byte("null"), nil
		}
		return strconv.AppendFloat(nil, c.Value(row), 'g', -1, 64), nil
	case *array.Decimal128:
		return []byte(decimalText(c.ValueStr(row))), nil
	}
	return json.Marshal(column.GetOneForMarshal(row))
}

// decimalText is a decimal without zeros at its end: 4.5 of 4.5000.
func decimalText(text string) string {
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}
