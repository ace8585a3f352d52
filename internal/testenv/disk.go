package testenv

import (
	"os/exec"
	"testing"
)

// SmallDisk mounts a file system of a size, such as 300k, until the end of a test, and returns its folder and what changes the
// size. The test is skipped where that is not allowed. A release that is no longer served closes its files beside requests, so that
// the disk can be busy for a moment after the test.
func SmallDisk(tb testing.TB, size string) (folder string, resize func(size string)) {
	tb.Helper()
	folder = tb.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", folder).CombinedOutput(); err != nil {
		tb.Skipf("a small file system cannot be mounted here: %v %s", err, out)
	}
	tb.Cleanup(func() {
		Eventually(tb, "nothing of "+folder+" is open", func() bool { return exec.Command("umount", folder).Run() == nil })
	})
	return folder, func(size string) {
		tb.Helper()
		if out, err := exec.Command("mount", "-o", "remount,size="+size, folder).CombinedOutput(); err != nil {
			tb.Fatalf("%v %s", err, out)
		}
	}
}
