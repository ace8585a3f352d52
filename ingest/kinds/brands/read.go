package brands

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// indexFile is one file of the index: the brands of one OSM tag.
type indexFile struct {
	Properties struct {
		Path string `json:"path"` // brands/amenity/cafe
	} `json:"properties"`
	Items []json.RawMessage `json:"items"`
}

// item is one brand under one tag, as published, with the derived fields.
type item struct {
	DisplayName string            `json:"displayName"`
	ID          string            `json:"id"` // stem-hash
	LocationSet locationSet       `json:"locationSet"`
	MatchNames  []string          `json:"matchNames"`
	MatchTags   []string          `json:"matchTags"` // key/value
	Tags        map[string]string `json:"tags"`

	key, value      string
	where           string // file and item, for messages
	brandID         string
	places          places
	customLocations bool // some locations have no code
}

// readAll reads the file, or all .json files in the folder, ordered by path.
func readAll(ctx context.Context, path string, out source.Sink) ([]*item, error) {
	files, err := source.Files(path, ".json")
	if err != nil {
		return nil, err
	}
	var items []*item
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		data, err := readFile(file)
		if err != nil {
			return nil, err
		}
		more, err := parse(file, data, out)
		if err != nil {
			return nil, err
		}
		items = append(items, more...)
	}
	return items, nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > source.MaxIndexFile {
		return nil, source.InFile(path, source.TooLarge("the file", source.MaxIndexFile, "bytes"))
	}
	return os.ReadFile(path)
}

// parse reads one file of either format. Invalid items are issues, not errors.
func parse(path string, data []byte, out source.Sink) ([]*item, error) {
	var file struct {
		indexFile
		Index map[string]struct {
			Items []json.RawMessage `json:"items"`
		} `json:"nsi"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, source.BadFile(path, "%v", err)
	}
	if file.Index == nil {
		if file.Items == nil {
			return nil, source.BadFile(path, "no array items")
		}
		return parseTree(path, file.indexFile, out)
	}
	var paths []string
	for p := range file.Index {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var items []*item
	for _, p := range paths {
		t := indexFile{Items: file.Index[p].Items}
		t.Properties.Path = p
		more, err := parseTree(path, t, out)
		if err != nil {
			return nil, err
		}
		items = append(items, more...)
	}
	return items, nil
}

func parseTree(path string, t indexFile, out source.Sink) ([]*item, error) {
	kind, tag, _ := strings.Cut(t.Properties.Path, "/")
	key, value, ok := splitTag(tag)
	if !ok {
		return nil, source.BadFile(path, "properties.path %q is not like brands/amenity/cafe", t.Properties.Path)
	}
	out.Read(len(t.Items))
	var items []*item
	for i, raw := range t.Items {
		it := &item{key: key, value: value, where: fmt.Sprintf("%s item %d of %s", filepath.Base(path), i+1, t.Properties.Path)}
		if kind != "brands" {
			out.Issue(notABrand, it.where)
			continue
		}
		if err := json.Unmarshal(raw, it); err != nil {
			out.Issue(source.MalformedRecord, it.where)
			continue
		}
		if why := it.check(); !why.OK() {
			out.Issue(why, it.where)
			continue
		}
		it.where += " (" + it.ID + ")"
		if !it.locate(out) {
			continue
		}
		items = append(items, it)
	}
	return items, nil
}

func (it *item) check() reason.Reason {
	switch {
	case strings.TrimSpace(it.DisplayName) == "":
		return missingDisplayName
	case it.ID == "":
		return source.MissingKey
	case len(it.LocationSet.Include) == 0:
		return missingLocationSet
	case len(it.names()) == 0:
		return source.MissingName
	}
	return reason.Reason{}
}

// splitTag splits "amenity/cafe".
func splitTag(tag string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(tag, "/")
	return key, value, ok && key != "" && value != "" && !strings.Contains(value, "/")
}

func (it *item) wikidata() string { return it.Tags["brand:wikidata"] }

// nameTags have names of the brand, several separated by semicolons.
var nameTags = []string{
	"name", "brand", "name:en", "name:fr", "brand:en", "brand:fr", "official_name", "short_name", "alt_name",
	"int_name", "official_name:en", "official_name:fr", "short_name:en", "short_name:fr", "alt_name:en", "alt_name:fr",
}

// names returns the item's names as published without duplicates, the usual one first.
func (it *item) names() []string {
	var names []string
	add := func(name string) {
		if name = strings.TrimSpace(name); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, tag := range nameTags {
		for name := range strings.SplitSeq(it.Tags[tag], ";") {
			add(name)
		}
	}
	for _, name := range it.MatchNames {
		add(name)
	}
	return names
}

// addedTags returns the item's tags that describe the place (cuisine, takeaway …), not the brand's names.
func (it *item) addedTags() map[string]string {
	tags := map[string]string{}
	for tag, value := range it.Tags {
		stem, _, _ := strings.Cut(tag, ":")
		switch stem {
		case it.key, "name", "brand", "official_name", "short_name", "alt_name", "int_name", "old_name", "loc_name",
			"operator", "ref", "network", "owner", "website", "contact", "subject":
		default:
			tags[tag] = value
		}
	}
	return tags
}
