package source

import "regexp"

var placeholder = regexp.MustCompile(`\{([^{}]+)\}`)

// Placeholders returns the attributes or columns in braces in a template: {GEOID}.
func Placeholders(template string) []string {
	var names []string
	for _, match := range placeholder.FindAllStringSubmatch(template, -1) {
		names = append(names, match[1])
	}
	return names
}

// Fill replaces the placeholders of a template by values. It returns "" if one of these is missing.
func Fill(template string, value func(name string) string) string {
	absent := false
	filled := placeholder.ReplaceAllStringFunc(template, func(match string) string {
		v := value(match[1 : len(match)-1])
		absent = absent || v == ""
		return v
	})
	if absent {
		return ""
	}
	return filled
}
