package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// HistorySchema is the version of what a release keeps for those that follow it: the members of Head, tables geography,
// geography_superseded and geog_bridge of geographies.sqlite, and the tables by geog_id of the last data of superseded
// geographies. A program reads every version up to its own, and layouts from FirstLayout on that name none: a column that an
// earlier one lacks is NULL, so that columns are added to the history and never renamed or removed.
const HistorySchema = 1

// FirstLayout is the earliest layout of a release that another one can continue.
const FirstLayout = 3

// Head is what the manifests of all components have in every layout from FirstLayout on.
type Head struct {
	Schema    int           `json:"schema"`    // of the layout
	History   int           `json:"history"`   // HistorySchema of its program; 0: of market statistics and earlier layouts
	Component string        `json:"component"` // one of Components
	Digest    string        `json:"digest"`
	AsOf      string        `json:"as_of"`
	Places    string        `json:"places"` // digest of the component that it stands beside; "" of places
	Files     []ReleaseFile `json:"files"`
}

// ReadHead reads the head of the manifest of a component of any layout. A manifest of this layout is checked as a whole, one of
// another by its digest.
func ReadHead(dir string) (*Head, error) { return readManifest(dir, decodeHead) }

// ServedFrom is the earliest layout that is served. Packs of 14 do not have what a later one added (pack.Loader.Has), and market
// statistics up to 15 are in one file.
const ServedFrom = 14

// Served returns an error that wraps ErrLayout unless packs of the layout can be opened.
func (h *Head) Served() error {
	if h.Schema < ServedFrom || h.Schema > ManifestSchema {
		return wrongSchema(h.Schema, ServedFrom)
	}
	return nil
}

// ReadServed reads the manifest of one of some components into m for programs that open its packs alone, which those of earlier
// layouts can be, too: of these m has what its members had then.
func ReadServed(dir string, m manifest, components ...string) error {
	_, err := readManifest(dir, func(data []byte) (*Head, error) {
		h := new(Head)
		if err := json.Unmarshal(data, h); err != nil || h.Schema == ManifestSchema {
			return h, decodeManifest(data, m, components...)
		} else if err := h.Served(); err != nil {
			return nil, err
		}
		h, err := decodeHead(data)
		if err == nil && !slices.Contains(components, h.Component) {
			err = otherComponent(h.Component, components)
		}
		if err == nil {
			err = json.Unmarshal(data, m)
		}
		return h, err
	})
	return err
}

func decodeHead(data []byte) (*Head, error) {
	h := new(Head)
	if err := json.Unmarshal(data, h); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if h.Component == "" && h.Schema < ManifestSchema { // before there were components
		h.Component = Places
	}
	switch {
	case h.Schema < FirstLayout:
		return nil, fmt.Errorf("manifest: %w: schema %d, the earliest that is read is %d", ErrLayout, h.Schema, FirstLayout)
	case h.History > HistorySchema:
		return nil, fmt.Errorf("manifest: %w: history %d, this program reads up to %d: a newer program is required",
			ErrLayout, h.History, HistorySchema)
	case h.Schema == ManifestSchema:
		return h, h.decodeWhole(data)
	}
	for _, f := range h.Files {
		if !fileNameForm.MatchString(f.Name) || f.Bytes < 0 || !digestForm.MatchString(f.SHA256) {
			return nil, fmt.Errorf("manifest of schema %d: file %q", h.Schema, f.Name)
		}
	}
	bare := bytes.Replace(data, []byte(`"digest": "`+h.Digest+`"`), []byte(`"digest": ""`), 1) // as ComputeDigest encodes it
	if sumOf(bare) != h.Digest {
		return nil, fmt.Errorf("manifest of schema %d: wrong digest %q", h.Schema, h.Digest)
	}
	return h, nil
}

// decodeWhole checks a manifest of this layout.
func (h *Head) decodeWhole(data []byte) (err error) {
	switch h.Component {
	case Places:
		_, err = DecodeManifest(data)
	case Private:
		err = decodeManifest(data, new(PrivateManifest), Private)
	default:
		_, err = DecodeMarketManifest(data)
	}
	return err
}

// File returns a file of the component by name.
func (h *Head) File(name string) (ReleaseFile, bool) { return fileNamed(h.Files, name) }
