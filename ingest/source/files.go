package source

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
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

// SmallFile is the size in bytes up to which Kind.Check reads a file in order to compare options with its values.
const SmallFile = 32 << 20

// IsSmall reports whether a file exists and is at most SmallFile large.
func IsSmall(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Size() <= SmallFile
}

// CheckValues returns the faults of values of an option that no row or feature has in a column.
func CheckValues(option, row, column string, wanted []string, seen map[string]bool) error {
	var faults Faults
	there := slices.Sorted(maps.Keys(seen))
	const most = 12
	text := strings.Join(there[:min(most, len(there))], ", ")
	if len(there) > most {
		text += fmt.Sprintf(" and %d more", len(there)-most)
	}
	for _, value := range wanted {
		faults.Value(!seen[value], option, value, "no %s has %s %q; there are: %s", row, column, value, text)
	}
	return faults.Err()
}

// InFile names the file of an error, and wraps ErrBadFile unless it does already.
func InFile(path string, err error) error {
	if errors.Is(err, ErrBadFile) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return BadFile(path, "%v", err)
}

// BadFile returns an error that wraps ErrBadFile, with the path and what is wrong with the file.
func BadFile(path, format string, args ...any) error {
	return fmt.Errorf("%s: %w: %w", path, ErrBadFile, fmt.Errorf(format, args...))
}
