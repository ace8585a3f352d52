package overture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"
)

// Catalog is the catalogue of all releases.
const Catalog = "https://stac.overturemaps.org/catalog.json"

// ErrGone is the error of a release that the publisher does not have any more; its message says which there are.
var ErrGone = errors.New("this release of Overture is not there any more")

// Get returns the document at an address.
type Get func(ctx context.Context, address string) ([]byte, error)

// File is a Parquet file of a release.
type File struct {
	URL string
	Box Box // of its rows; the whole world if the catalogue does not say
}

// Release is what a catalogue says of a query.
type Release struct {
	Name   string
	Newest string
	Others []string // that the catalogue has, newest first
	Files  []File   // that may have rows of the query, in the order of the catalogue
}

// Gone is the error of this release, of which a file or document is missing.
func (r *Release) Gone(detail error) error {
	if r.Name == r.Newest {
		return fmt.Errorf("%w: %s (%w), although its catalogue names it as the newest: try again later", ErrGone, r.Name, detail)
	}
	return fmt.Errorf("%w: %s (%w); the newest is %s, and there are %s: change the release in the url", ErrGone, r.Name, detail, r.Newest,
		strings.Join(r.Others, ", "))
}

// document is a catalogue, collection or item of STAC, as far as it is read.
type document struct {
	Type   string    `json:"type"`
	Latest any       `json:"latest"` // the name of a release in the catalogue of all
	Links  []link    `json:"links"`
	BBox   []float64 `json:"bbox"`
	Assets map[string]struct {
		Href string `json:"href"`
		Type string `json:"type"`
	} `json:"assets"`
	address *url.URL
}

type link struct {
	Rel    string `json:"rel"`
	Href   string `json:"href"`
	Title  string `json:"title"`
	Latest bool   `json:"latest"`
}

const (
	mostItems   = 20_000 // of a type
	parquetType = "application/vnd.apache.parquet"
)

// Find reads the catalogue of all releases, at an address, that of the query's release, and those of its theme and type, and
// their items one after another. A table of all items is published too, but its column of types is empty since September 2026.
func Find(ctx context.Context, get Get, catalog string, q Query) (*Release, error) {
	all, err := read(ctx, get, catalog)
	if err != nil {
		return nil, err
	}
	r := &Release{Name: q.Release}
	r.Newest, _ = all.Latest.(string)
	children := map[string]link{}
	for _, l := range all.Links {
		if name := l.release(); l.Rel == "child" && name != "" {
			if r.Others = append(r.Others, name); l.Latest && r.Newest == "" {
				r.Newest = name
			}
			children[name] = l
		}
	}
	if q.Release == Latest {
		r.Name = r.Newest
	}
	if r.Newest == "" || len(children) == 0 {
		return nil, fmt.Errorf("%s: the catalogue names no release", catalog)
	}
	child, found := children[r.Name]
	if !found {
		return nil, r.Gone(errors.New("it is not in the catalogue"))
	}
	collection, err := all.descend(ctx, get, child, q)
	if err != nil {
		return nil, err
	}
	r.Files, err = collection.files(ctx, get, q.Box)
	return r, err
}

// release is the name of the release to which a link of the catalogue of all leads.
func (l link) release() string {
	if name := path.Base(path.Dir(l.Href)); releaseName.MatchString(name) && name != Latest {
		return name
	}
	return ""
}

// descend reads the catalogue of a release, and returns the collection of a type.
func (d *document) descend(ctx context.Context, get Get, release link, q Query) (*document, error) {
	next, err := d.follow(ctx, get, release)
	for _, name := range []string{q.Theme, q.Type} {
		if err != nil {
			return nil, err
		}
		var names []string
		at := slices.IndexFunc(next.Links, func(l link) bool {
			if l.Rel == "child" {
				names = append(names, path.Base(path.Dir(l.Href)))
			}
			return l.Rel == "child" && path.Base(path.Dir(l.Href)) == name
		})
		if at < 0 {
			return nil, fmt.Errorf("%s: it has no %s; there are: %s", next.address, name, strings.Join(names, ", "))
		}
		next, err = next.follow(ctx, get, next.Links[at])
	}
	return next, err
}

// files reads the items of a collection whose boxes meet a box.
func (d *document) files(ctx context.Context, get Get, box Box) (files []File, err error) {
	items := 0
	for _, l := range d.Links {
		if l.Rel != "item" {
			continue
		}
		if items++; items > mostItems {
			return nil, fmt.Errorf("%s: more than %d items", d.address, mostItems)
		}
		item, err := d.follow(ctx, get, l)
		if err != nil {
			return nil, err
		}
		file, err := item.file()
		if err != nil {
			return nil, err
		}
		if file.Box.Meets(box) {
			files = append(files, file)
		}
	}
	if items == 0 {
		return nil, fmt.Errorf("%s: it has no items", d.address)
	}
	return files, nil
}

// file is the file of an item.
func (d *document) file() (f File, err error) {
	f.Box = Box{-180, -90, 180, 90}
	if len(d.BBox) == 4 {
		f.Box = Box(d.BBox)
	}
	names := []string{"aws"} // where the publisher has it first
	for name := range d.Assets {
		names = append(names, name)
	}
	slices.Sort(names[1:])
	for _, name := range names {
		asset := d.Assets[name]
		u, err := d.address.Parse(asset.Href)
		if err == nil && asset.Href != "" && asset.Type == parquetType && d.trusts(u) {
			f.URL = u.String()
			return f, nil
		}
	}
	return f, fmt.Errorf("%s: it has no Parquet file at an https address", d.address)
}

// trusts reports whether a link may be followed: none leads away from https.
func (d *document) trusts(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && d.address.Scheme == "http"
}

// follow reads the document to which a link leads.
func (d *document) follow(ctx context.Context, get Get, l link) (*document, error) {
	u, err := d.address.Parse(l.Href)
	if err != nil || !d.trusts(u) {
		return nil, fmt.Errorf("%s: the link %q is not an https address", d.address, l.Href)
	}
	return read(ctx, get, u.String())
}

func read(ctx context.Context, get Get, address string) (*document, error) {
	text, err := get(ctx, address)
	if err != nil {
		return nil, err
	}
	d := &document{}
	if d.address, err = url.Parse(address); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("%s: it is no document of STAC: %w", address, err)
	}
	if !slices.Contains([]string{"Catalog", "Collection", "Feature"}, d.Type) {
		return nil, fmt.Errorf("%s: it is no document of STAC, its type is %q", address, d.Type)
	}
	return d, nil
}
