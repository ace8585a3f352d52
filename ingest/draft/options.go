package draft

import (
	"path/filepath"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// options are options of a source in their order.
type options struct {
	content []*yaml.Node
	level   int
}

func newOptions() *options { return &options{} }

func (o *options) add(name string, value *yaml.Node) *options {
	o.content = append(o.content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, value)
	return o
}

// text sets an option to a text.
func (o *options) text(name, value string) *options {
	node := &yaml.Node{}
	node.SetString(value)
	return o.add(name, node)
}

// column sets an option to the name of a column, if there is one.
func (o *options) column(name, column string) *options {
	if column == "" {
		return o
	}
	return o.text(name, column)
}

// number sets the level.
func (o *options) number(name string, n int) *options {
	o.level = n
	return o.add(name, &yaml.Node{Kind: yaml.ScalarNode, Value: strconv.Itoa(n)})
}

// flag sets an option to true.
func (o *options) flag(name string) *options {
	return o.add(name, &yaml.Node{Kind: yaml.ScalarNode, Value: "true"})
}

// node is the mapping; an empty node without options.
func (o *options) node() *yaml.Node {
	if len(o.content) == 0 {
		return &yaml.Node{}
	}
	return &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Style: yaml.FlowStyle, Content: o.content}
}

// stemOf is the name of a file without its extensions.
func stemOf(path string) string {
	stem, _, _ := strings.Cut(filepath.Base(path), ".")
	return stem
}

// dashed is a text as the id of a source.
func dashed(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
			b.WriteByte('-')
		}
	}
	id := strings.Trim(b.String(), "-")
	return id[:min(len(id), 50)]
}

// title is a name of a file as words.
func title(stem string) string {
	words := strings.Fields(strings.NewReplacer("_", " ", "-", " ").Replace(stem))
	for i, w := range words {
		if words[i] = strings.ToUpper(w[:1]) + w[1:]; len(w) <= 2 {
			words[i] = strings.ToUpper(w)
		}
	}
	return strings.Join(words, " ")
}
