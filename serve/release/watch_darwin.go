package release

import (
	"os"
	"syscall"
)

// changedAt is when the content or metadata of a file last changed, in nanoseconds.
func changedAt(info os.FileInfo) int64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return stat.Ctimespec.Nano()
	}
	return 0
}
