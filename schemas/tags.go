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
	label, ok := tagLabels[id]
	return label, ok
}

var tagLabels = func() map[string]Text {
	labels := make(map[string]Text, len(Tags))
	for _, t := range Tags {
		labels[t.ID] = t.Label
	}
	return labels
}()
