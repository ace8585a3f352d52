package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"quartier/cmd/quartier/explained"

	"github.com/urfave/cli/v2"
)

func logFlag() cli.Flag {
	return &cli.StringFlag{Name: "log", Usage: "log `FORMAT`: text or json", Value: "text", EnvVars: []string{"QUARTIER_LOG"}}
}

// logger writes progress to standard error; standard output is for results.
func logger(c *cli.Context) (*slog.Logger, error) {
	switch c.String("log") {
	case "text":
		return slog.New(&lines{w: c.App.ErrWriter, mu: new(sync.Mutex), started: time.Now()}), nil
	case "json":
		return slog.New(slog.NewJSONHandler(c.App.ErrWriter, nil)), nil
	}
	return nil, usageError{fmt.Errorf("--log must be text or json, not %q", c.String("log"))}
}

// lines is a slog.Handler for terminals: seconds since the start, the message, then key=value pairs.
type lines struct {
	w       io.Writer
	mu      *sync.Mutex
	started time.Time
	attrs   []slog.Attr
}

func (l *lines) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

func (l *lines) WithAttrs(attrs []slog.Attr) slog.Handler {
	with := *l
	with.attrs = append(append([]slog.Attr{}, l.attrs...), attrs...)
	return &with
}

func (l *lines) WithGroup(string) slog.Handler { return l }

func (l *lines) Handle(_ context.Context, record slog.Record) error {
	var line bytes.Buffer
	fmt.Fprintf(&line, "%7.1fs  ", record.Time.Sub(l.started).Seconds())
	if record.Level >= slog.LevelWarn {
		line.WriteString(strings.ToLower(record.Level.String()) + ": ")
	}
	line.WriteString(record.Message)
	for _, attr := range l.attrs {
		writeAttr(&line, attr)
	}
	record.Attrs(func(attr slog.Attr) bool {
		writeAttr(&line, attr)
		return true
	})
	line.WriteByte('\n')
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err := l.w.Write(line.Bytes())
	return err
}

func writeAttr(line *bytes.Buffer, attr slog.Attr) {
	value := attr.Value.Resolve()
	text := value.String()
	switch value.Kind() {
	case slog.KindInt64:
		text = thousands(value.Int64())
	case slog.KindDuration:
		text = value.Duration().Round(10 * time.Millisecond).String()
	}
	if strings.ContainsAny(text, " \t\n\"") {
		text = fmt.Sprintf("%q", text)
	}
	fmt.Fprintf(line, "  %s=%s", attr.Key, text)
}

// thousands formats 1234567 as 1,234,567.
func thousands(n int64) string { return explained.Thousands(n) }
