package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDataPageIsUpToDate(t *testing.T) {
	have, err := os.ReadFile("../../DATA.md")
	if err != nil {
		t.Fatal(err)
	}
	want, _ := mustRun(t, "data", "--regions", "../../regions")
	if diff := cmp.Diff(want, string(have)); diff != "" {
		t.Errorf("DATA.md is out of date; run make data-doc (-want +have):\n%s", diff)
	}
}
