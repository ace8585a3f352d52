package source

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Files returns path itself if it is a file, or all files in the folder with one of the extensions (".json", lower-case;
// case of names is ignored), ordered by path. The error for a folder without any wraps ErrBadFile.
func Files(path string, extensions ...string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (p == path || slices.Contains(extensions, strings.ToLower(filepath.Ext(p)))) {
			files = append(files, p)
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = BadFile(path, "no %s file in this folder", strings.Join(extensions, " or "))
	}
	return files, err
}

// BadFile returns an error that wraps ErrBadFile, with the path and what is wrong with the file.
func BadFile(path, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", path, ErrBadFile, fmt.Sprintf(format, args...))
}
