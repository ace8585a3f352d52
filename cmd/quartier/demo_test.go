package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A demo at an address that another program has fails before it builds anything.
func TestDemoAtATakenAddress(t *testing.T) {
	other, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	out := filepath.Join(t.TempDir(), "demo")
	code, _, errs := quartier("demo", "--out", out, "--addr", other.Addr().String())
	if code == 0 || !strings.Contains(errs, other.Addr().String()) || !strings.Contains(errs, "in use") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("something is built")
	}
}
