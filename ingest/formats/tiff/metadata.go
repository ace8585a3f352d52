package tiff

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// scaling converts stored values: stored · scale + offset.
type scaling struct{ scale, offset float64 }

func (s scaling) apply(stored float64) float32 { return float32(stored*s.scale + s.offset) }

const (
	maxMetadata = 1 << 20 // bytes
	maxScaling  = 1e6     // absolute value of a scale or offset
)

// scalingOf reads scale and offset of the band from the metadata that GDAL writes:
//
//	<GDALMetadata><Item name="SCALE" sample="0" role="scale">0.1</Item>…</GDALMetadata>
//
// A file without them stores the values themselves.
func scalingOf(d *directory) (scaling, error) {
	s := scaling{scale: 1}
	if size := d.fields[tagMetadata].count; size > maxMetadata {
		return s, fmt.Errorf("its GDAL metadata of %d bytes is too long", size)
	}
	text, err := d.text(tagMetadata)
	if err != nil || text == "" {
		return s, err
	}
	items, err := metadataItems(text)
	if err != nil {
		return s, fmt.Errorf("its GDAL metadata, which may contain a scale, cannot be read: %w", err)
	}
	for _, item := range items {
		into := &s.scale
		switch {
		case item.Sample != "0":
			continue
		case strings.EqualFold(item.Role, "offset"):
			into = &s.offset
		case !strings.EqualFold(item.Role, "scale"):
			continue
		}
		value, err := strconv.ParseFloat(strings.TrimSpace(item.Value), 64)
		if err != nil || !(math.Abs(value) <= maxScaling) || into == &s.scale && value == 0 {
			return s, fmt.Errorf("its GDAL metadata has the invalid %s %.40q", strings.ToLower(item.Role), item.Value)
		}
		*into = value
	}
	return s, nil
}

type metadataItem struct {
	Sample string `xml:"sample,attr"` // band, 0 the first; absent: of the file
	Role   string `xml:"role,attr"`
	Value  string `xml:",chardata"`
}

// metadataItems parses the items. The encoding is ignored: numbers are the same in all.
func metadataItems(text string) ([]metadataItem, error) {
	decoder := xml.NewDecoder(strings.NewReader(strings.ToValidUTF8(text, "?")))
	decoder.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	var metadata struct {
		Items []metadataItem `xml:"Item"`
	}
	err := decoder.Decode(&metadata)
	if errors.Is(err, io.EOF) {
		err = errors.New("it has no element")
	}
	return metadata.Items, err
}
