package schemas

// Tag is a property of a POI in addition to its categories, such as its cuisine, "chain" or "healthy".
type Tag struct {
	ID    string // lower snake_case
	Label Text
}

// Tags are all tags, sorted by id.
var Tags = readVocabulary("tags.tsv", func(c []string) Tag { return Tag{c[0], Text{c[1], c[2]}} })

// TagLabel is the label of a tag by its id; false if there is no such tag.
func TagLabel(id string) (Text, bool) {
	tag, ok := find(Tags, tagIndex, id)
	return tag.Label, ok
}

var tagIndex = indexBy(Tags, func(t Tag) string { return t.ID })
