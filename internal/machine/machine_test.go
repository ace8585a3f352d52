package machine

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
)

func TestMemory(t *testing.T) {
	const info = "MemTotal:       8000000 kB\nMemFree:  1 kB\nMemAvailable:   2000000 kB\nSwapFree:        500000 kB\n"
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	for _, tt := range []struct {
		name  string
		root  fstest.MapFS
		free  int64
		known bool
	}{
		{"another system", fstest.MapFS{}, 0, false},
		{"no control groups", fstest.MapFS{"proc/meminfo": file(info)}, 2_500_000 << 10, true},
		{"without limit", fstest.MapFS{"proc/meminfo": file(info), "proc/self/cgroup": file("0::/a\n"),
			"sys/fs/cgroup/a/memory.max":     file("max\n"),
			"sys/fs/cgroup/a/memory.current": file("5\n")}, 2_500_000 << 10, true},
		{"limit", fstest.MapFS{"proc/meminfo": file(info), "proc/self/cgroup": file("0::/a/b\n"), "sys/fs/cgroup/a/memory.max": file("1000\n"),
			"sys/fs/cgroup/a/memory.current": file("900\n"), "sys/fs/cgroup/a/memory.stat": file("anon 600\ninactive_file 300\n")}, 400, true},
		{"full", fstest.MapFS{"proc/meminfo": file(info), "proc/self/cgroup": file("0::/\n"), "sys/fs/cgroup/memory.max": file("1000\n"),
			"sys/fs/cgroup/memory.current": file("1001\n")}, 0, true},
		{"version 1", fstest.MapFS{"proc/meminfo": file(info), "proc/self/cgroup": file("5:cpu:/x\n4:memory:/x\n0::/\n"),
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("1000\n"), "sys/fs/cgroup/memory/x/memory.usage_in_bytes": file("200\n")},
			800, true},
	} {
		if free, known := memory(tt.root); free != tt.free || known != tt.known {
			t.Errorf("%s: %d, %v, want %d, %v", tt.name, free, known, tt.free, tt.known)
		}
	}
	if free, known := Memory(); known && free <= 0 {
		t.Errorf("this machine has %d bytes", free)
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	id, free, err := Disk(dir)
	if err != nil || free <= 0 {
		t.Fatalf("%d bytes, %v", free, err)
	}
	below := filepath.Join(dir, "a", "b")
	if other, _, err := Disk(below); err != nil || other != id {
		t.Errorf("a folder that will be made is on %d, not on %d: %v", other, id, err)
	}
	if err := Writable(below); err != nil {
		t.Error(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Writable(filepath.Join(file, "a")); err == nil {
		t.Error("a folder in a file is writable")
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}
