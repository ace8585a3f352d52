package calibration

import (
	"regexp"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"
)

// Mark says how well founded a constant is.
type Mark struct {
	Letter string // V verified in the source, C computed on real data, R recalled from a published source, A our own choice; "" none
	Reason string // the comment in calibration.yaml, without its signs and marks
}

// MarkOf is the mark of a constant by its path in calibration.yaml, "access.gravities.groceries.g0": that of the comment
// nearest to it, beside or above it or around it; where a comment has several, that of the sentence with its name. A path
// that leads nowhere has no mark.
func MarkOf(path string) Mark {
	node := document()
	var found Mark
	names := strings.Split(path, ".")
	for _, name := range names {
		key, value := child(node, name)
		if key == nil {
			return Mark{}
		}
		for _, comment := range []string{value.LineComment, key.LineComment, key.HeadComment, value.HeadComment} {
			if m := marked(comment, names[len(names)-1]); m != "" {
				found = Mark{m, plain(comment)}
				break
			}
		}
		node = value
	}
	return found
}

// marked is the letter of a comment that is about a name, "" where it has none.
func marked(comment, name string) string {
	all := letter.FindAllStringSubmatch(comment, -1)
	if len(all) == 0 {
		return ""
	}
	if at := strings.Index(comment, "] "+name+" "); at > 0 {
		return comment[at-1 : at]
	}
	for _, sentence := range strings.FieldsFunc(comment, func(r rune) bool { return r == '.' || r == ';' }) {
		if m := letter.FindStringSubmatch(sentence); m != nil && strings.Contains(sentence, " "+name+" ") {
			return m[1]
		}
	}
	return all[0][1]
}

var letter = regexp.MustCompile(`\[([VCRA])\]`)

// plain is a comment in one line without its signs and marks.
func plain(comment string) string {
	var words []string
	for line := range strings.Lines(comment) {
		words = append(words, strings.Fields(strings.TrimLeft(letter.ReplaceAllString(line, ""), "# "))...)
	}
	return strings.NewReplacer(" :", ":", " ,", ",", " ;", ";", " .", ".").Replace(strings.Join(words, " "))
}

// document is calibration.yaml with its comments.
var document = sync.OnceValue(func() *yaml.Node {
	var d yaml.Node
	if err := yaml.Unmarshal(text, &d); err != nil || len(d.Content) == 0 {
		return &yaml.Node{}
	}
	return d.Content[0]
})

// child is a key of a mapping and what it stands for.
func child(node *yaml.Node, name string) (key, value *yaml.Node) {
	if node.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i], node.Content[i+1]
		}
	}
	return nil, nil
}
