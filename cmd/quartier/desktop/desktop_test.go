package desktop

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quartier/internal/testenv"
)

// TestLink is taken out of the output, however it is divided, shown once and opened where there is a desktop.
func TestLink(t *testing.T) {
	const link = "http://127.0.0.1:8080/explore/open?key=a-b_c"
	const text = "{\"msg\":\"x\"}\n\nExplorer (the link opens once, within 15 minutes): " + link + "\n\nlast\n"
	bin := t.TempDir()
	opened := filepath.Join(bin, "opened")
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" >"+opened+".new && mv "+opened+".new "+opened+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("WAYLAND_DISPLAY", "")
	for _, display := range []string{"", ":0"} {
		t.Setenv("DISPLAY", display)
		var passed, shown bytes.Buffer
		l := NewLinkReader(&passed)
		for i := range text {
			l.Write([]byte{text[i]})
		}
		l.Show(t.Context(), &shown, slog.New(slog.DiscardHandler))
		if strings.Contains(passed.String(), "key=") || !strings.Contains(passed.String(), "last\n") || strings.Count(shown.String(), link) != 1 {
			t.Errorf("passed on %q, shown %q", passed.String(), shown.String())
		}
		if display == "" {
			if opener() != "" {
				t.Error("there is no desktop")
			}
			continue
		}
		testenv.Eventually(t, "the link is opened", func() bool {
			got, err := os.ReadFile(opened)
			return err == nil && strings.TrimSpace(string(got)) == link
		})
	}
}
