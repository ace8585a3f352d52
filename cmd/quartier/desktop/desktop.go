// Package desktop finds the link of the explorer in what quartierd writes to standard error, and opens it in a browser where
// there is a desktop.
package desktop

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"syscall"
	"time"
)

// LinkReader passes on what quartierd writes, without the first link of the explorer. It is made by NewLinkReader.
type LinkReader struct {
	out   io.Writer
	found chan string
	line  []byte // that has not ended yet
}

// NewLinkReader makes a LinkReader that passes on to out.
func NewLinkReader(out io.Writer) *LinkReader {
	return &LinkReader{out: out, found: make(chan string, 1)}
}

var explorerLink = regexp.MustCompile(`^Explorer \(.*: (http\S+)\s*$`)

// Write takes a part of the output.
func (l *LinkReader) Write(text []byte) (int, error) {
	l.line = append(l.line, text...)
	for {
		end := bytes.IndexByte(l.line, '\n')
		if end < 0 {
			return len(text), nil
		}
		line := l.line[:end+1]
		if match := explorerLink.FindSubmatch(line); match != nil {
			select {
			case l.found <- string(match[1]):
			default: // another one, on a signal
				l.out.Write(line)
			}
		} else if _, err := l.out.Write(line); err != nil {
			return 0, err
		}
		l.line = l.line[end+1:]
	}
}

// linkWithin is how long the server, which is ready, may take to print the link.
const linkWithin = 5 * time.Second

// Show prints the link to out, and opens it where there is a desktop.
func (l *LinkReader) Show(ctx context.Context, out io.Writer, log *slog.Logger) {
	select {
	case link := <-l.found:
		fmt.Fprintf(out, "The explorer, a map of what is served (the link opens once, within 15 minutes):\n\n  %s\n\n", link)
		if open := opener(); open != "" {
			command := exec.Command(open, link)
			command.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // the browser that it may become outlives the demo and its Ctrl-C
			if err := command.Start(); err != nil {
				log.Info("the link is not opened", "with", open, "error", err)
				return
			}
			go command.Wait() // whether a browser opens is for the one who looks
		}
	case <-time.After(linkWithin):
		log.Warn("the server printed no link of the explorer")
	case <-ctx.Done():
	}
}

// opener is the program that opens links on the desktop of this machine; "" where there is none.
func opener() string {
	name := "xdg-open"
	switch {
	case runtime.GOOS == "darwin":
		name = "open"
	case os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		return ""
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}
