package source

import (
	"regexp"
	"strings"
)

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

// Columns returns the columns of an option that is the name of a column, or a template with columns in braces.
func Columns(option string) []string {
	if !strings.ContainsAny(option, "{}") && option != "" {
		return []string{option}
	}
	return Placeholders(option)
}

// Compose returns the value of an option that is the name of a column, or a template with columns in braces, those without a
// value left out; "" if all are.
func Compose(option string, value func(name string) string) string {
	if !strings.ContainsAny(option, "{}") {
		return value(option)
	}
	some := false
	text := placeholder.ReplaceAllStringFunc(option, func(match string) string {
		v := value(match[1 : len(match)-1])
		some = some || v != ""
		return v
	})
	if !some {
		return ""
	}
	return strings.Join(strings.Fields(text), " ")
}

// Qualify returns the value of an option that is a template with a scheme, nces:{NCESSCH}, or the name of a column, whose
// scheme is that of the source; "" where a value is missing.
func Qualify(option, scheme string, value func(name string) string) string {
	switch {
	case strings.Contains(option, "{"):
		return Fill(option, value)
	case option == "" || value(option) == "":
		return ""
	}
	return scheme + ":" + value(option)
}
