// Package machine says what the machine has left for a long run: disk and memory.
package machine

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Writable returns an error unless files can be made in a folder or, if it does not exist, in the folder that it will be
// made in.
func Writable(folder string) error {
	existing, err := existingFolder(folder)
	if err != nil {
		return err
	}
	// Permissions alone do not say it: the file system may be read-only, and root may do anything elsewhere.
	probe, err := os.MkdirTemp(existing, ".quartier-")
	if err != nil {
		return err
	}
	return os.Remove(probe)
}

// existingFolder returns a folder, or the innermost one around it that exists.
func existingFolder(folder string) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist) && folder != filepath.Dir(folder):
		return existingFolder(filepath.Dir(folder))
	case err == nil && !info.IsDir():
		err = fmt.Errorf("%s is a file", folder)
	}
	return folder, err
}

// Disk identifies the file system of a folder, which need not exist, and returns its free bytes.
func Disk(folder string) (id uint64, free int64, err error) {
	existing, err := existingFolder(folder)
	if err != nil {
		return 0, 0, err
	}
	var stat unix.Stat_t
	var space unix.Statfs_t
	if err := errors.Join(unix.Stat(existing, &stat), unix.Statfs(existing, &space)); err != nil {
		return 0, 0, fmt.Errorf("%s: %w", existing, err)
	}
	return uint64(stat.Dev), int64(space.Bavail) * int64(space.Bsize), nil
}

// Memory returns the bytes of memory that this process can still have: what the system has without swapping and with what
// is free of swap, and no more than the limit of its control group leaves; false if the system does not say it.
func Memory() (free int64, known bool) { return memory(os.DirFS("/")) }

func memory(root fs.FS) (free int64, known bool) {
	system := fields(root, "proc/meminfo", ":")
	available, known := system["MemAvailable"]
	if !known {
		return 0, false
	}
	free = 1024 * (available + system["SwapFree"])
	for _, group := range groups(root) {
		limit, limited := number(root, group.limit)
		used, counted := number(root, group.used)
		if !limited || !counted {
			continue
		}
		// Pages of files that were read count as used, and are given back when they are needed.
		cached := fields(root, group.statistics, " ")[group.cached]
		free = min(free, max(0, limit-used+cached))
	}
	return free, true
}

// group has the files of a control group.
type group struct{ limit, used, statistics, cached string }

// groups are the control group of this process and those around it, of both versions of Linux's control groups. In a
// container, the innermost one is the root of what is mounted.
func groups(root fs.FS) (list []group) {
	data, err := fs.ReadFile(root, "proc/self/cgroup")
	if err != nil {
		return nil
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		parts := strings.SplitN(lines.Text(), ":", 3)
		if len(parts) != 3 || parts[1] != "" && parts[1] != "memory" {
			continue
		}
		for at := path.Join("/", parts[2]); ; at = path.Dir(at) {
			if dir := path.Join("sys/fs/cgroup", at); parts[1] == "" {
				list = append(list, group{dir + "/memory.max", dir + "/memory.current", dir + "/memory.stat", "inactive_file"})
			} else {
				dir = path.Join("sys/fs/cgroup/memory", at)
				list = append(list, group{dir + "/memory.limit_in_bytes", dir + "/memory.usage_in_bytes", dir + "/memory.stat", "total_inactive_file"})
			}
			if at == "/" {
				break
			}
		}
	}
	return list
}

// number reads a file of one number; false if there is none, such as "max".
func number(root fs.FS, name string) (int64, bool) {
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64)
	return n, err == nil
}

// fields reads a file of lines of a name, a separator, and a number.
func fields(root fs.FS, name, separator string) map[string]int64 {
	list := map[string]int64{}
	data, err := fs.ReadFile(root, name)
	if err != nil {
		return list
	}
	for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
		key, rest, _ := strings.Cut(lines.Text(), separator)
		if values := strings.Fields(rest); len(values) > 0 {
			if n, err := strconv.ParseInt(values[0], 10, 64); err == nil {
				list[key] = n
			}
		}
	}
	return list
}
