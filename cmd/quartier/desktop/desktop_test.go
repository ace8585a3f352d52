package desktop

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"quartier/internal/testenv"
)

// TestLink is taken out of the output, however it is divided, shown once and opened where there is a desktop.
func TestLink(t *testing.T) {
	const link = "http://127.0.0.1:8080/explore/open?key=a-b_c"
	const text = "{\"msg\":\"x\"}\n\nExplorer (the link opens once, within 15 minutes): " + link + "\n\nlast\n"
	bin := t.TempDir()
	opened := filepath.Join(bin, "opened")
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" >"+opened+".new && mv "+opened+".new "+opened+"\n"),
		0o755); err != nil {
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

// TestBrowserStays is about a program that opens links and becomes the browser: it goes on when the demo is stopped.
func TestBrowserStays(t *testing.T) {
	bin := t.TempDir()
	pipe, seen := filepath.Join(bin, "pipe"), filepath.Join(bin, "seen")
	script := "#!/bin/sh\ntouch " + seen + ".first\nread line <" + pipe + "\ncut -d' ' -f6 /proc/$$/stat >" + seen + ".new && mv " + seen +
		".new " + seen + "\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("DISPLAY", ":0")
	ctx, stop := context.WithCancel(t.Context())
	l := NewLinkReader(io.Discard)
	l.Write([]byte("Explorer (x): http://127.0.0.1:8080/explore/open?key=a\n"))
	l.Show(ctx, io.Discard, slog.New(slog.DiscardHandler))
	testenv.Eventually(t, "the browser is started", func() bool { _, err := os.Stat(seen + ".first"); return err == nil })
	stop()
	go os.WriteFile(pipe, []byte("go on\n"), 0)
	var session string
	testenv.Eventually(t, "the browser goes on", func() bool {
		text, err := os.ReadFile(seen)
		session = strings.TrimSpace(string(text))
		return err == nil
	})
	own, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Fatal(err)
	}
	if fields := strings.Fields(string(own[bytes.LastIndexByte(own, ')'):])); fields[4] == session || session == "" {
		t.Errorf("the browser is of the session %s of the demo: Ctrl-C ends it", session)
	}
}
