package source

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// Files is the file at path itself or, of a folder, every file below it with one of the extensions (".json", in small
// letters; names may have capitals), by path. A folder without any is an error that wraps ErrBadFile.
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

// BadFile is an error that wraps ErrBadFile, names the file and says what is wrong with it.
func BadFile(path, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %s", path, ErrBadFile, fmt.Sprintf(format, args...))
}
