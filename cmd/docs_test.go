package cmd_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	codeBlocks = regexp.MustCompile("(?ms)^```.*?^```|`[^`\n]*`")
	docLinks   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	docTitles  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	linkOf     = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	noSlug     = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
)

// TestLinksOfDocuments checks that what the documents link to in this repository is there, with its heading.
func TestLinksOfDocuments(t *testing.T) {
	pages := map[string][]byte{}
	eachFile(t, ".md", func(path string, text []byte) { pages[path] = text })
	seen := 0
	for path, text := range pages {
		for _, link := range docLinks.FindAllSubmatch(codeBlocks.ReplaceAll(text, nil), -1) {
			target := string(link[1])
			if strings.Contains(target, ":") {
				continue // an address
			}
			seen++
			to, title, titled := strings.Cut(target, "#")
			to = filepath.Join(filepath.Dir(path), to)
			if strings.HasPrefix(target, "#") {
				to = path
			}
			if _, err := os.Stat(filepath.Join("..", to)); err != nil {
				t.Errorf("%s links to %s, which is not there", path, target)
			} else if page, ok := pages[to]; ok && titled && !anchors(page)[title] {
				t.Errorf("%s links to %s; the page has no such heading", path, target)
			}
		}
	}
	if seen < 300 {
		t.Errorf("%d links were looked at", seen)
	}
}

// anchors are the headings of a page as links name them.
func anchors(page []byte) map[string]bool {
	names := map[string]bool{}
	fenced := regexp.MustCompile("(?ms)^```.*?^```")
	for _, title := range docTitles.FindAllSubmatch(fenced.ReplaceAll(page, nil), -1) {
		name := linkOf.ReplaceAllString(string(title[1]), "$1")
		name = noSlug.ReplaceAllString(strings.ToLower(strings.TrimSpace(name)), "")
		names[strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}

// eachFile reads the files of the module whose names end so, but those of testdata, of npm and of what programs write.
func eachFile(t *testing.T, end string, do func(path string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if path == "../out" || path == "../bin" || name == "testdata" || name == "node_modules" || name != ".." && strings.HasPrefix(name, ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, end) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err == nil {
			do(strings.TrimPrefix(path, "../"), text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
