package serve_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"quartier/internal/testenv"
)

// browser is a page in headless Chromium, steered by the DevTools protocol over a pipe.
type browser struct {
	t       *testing.T
	in      *os.File
	out     *bufio.Reader
	calls   int
	session string
	events  []event
}

// event is a message of Chromium: something that happened, or the answer to a call.
type event struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

// openBrowser starts Chromium with an empty page. It ends with the test.
func openBrowser(t *testing.T) *browser {
	t.Helper()
	testenv.SkipIfShort(t)
	testenv.NeedProgram(t, "chromium")
	commands, in, err := os.Pipe()
	must(t, err)
	out, answers, err := os.Pipe()
	must(t, err)
	profile, err := os.MkdirTemp("", "quartier-chromium-")
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	chromium := exec.CommandContext(ctx, "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
		"--disable-component-update", "--no-first-run", "--user-data-dir="+profile, "--remote-debugging-pipe", "about:blank")
	chromium.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // with the processes that it starts, which write to the profile
	chromium.Cancel = func() error { return syscall.Kill(-chromium.Process.Pid, syscall.SIGKILL) }
	chromium.ExtraFiles = []*os.File{commands, answers} // descriptors 3 and 4
	must(t, chromium.Start())
	commands.Close()
	answers.Close()
	t.Cleanup(func() {
		in.Close()
		cancel()
		chromium.Wait() // killed
		out.Close()
		testenv.Eventually(t, "the profile of Chromium is removed", func() bool { return os.RemoveAll(profile) == nil })
	})
	b := &browser{t: t, in: in, out: bufio.NewReader(out)}
	var page struct{ TargetID, SessionID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &page)
	b.call("Target.attachToTarget", map[string]any{"targetId": page.TargetID, "flatten": true}, &page)
	b.session = page.SessionID
	for _, domain := range []string{"Page", "Network", "Log", "Runtime"} {
		b.call(domain+".enable", nil, nil)
	}
	return b
}

// call calls a method and decodes its result. What happens meanwhile is kept in events.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.calls++
	message := map[string]any{"id": b.calls, "method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	text, err := json.Marshal(message)
	must(b.t, err)
	_, err = b.in.Write(append(text, 0))
	must(b.t, err)
	for {
		line, err := b.out.ReadBytes(0)
		must(b.t, err)
		var got event
		must(b.t, json.Unmarshal(line[:len(line)-1], &got))
		if got.ID != b.calls {
			b.events = append(b.events, got)
			continue
		}
		if got.Error != nil {
			b.t.Fatalf("%s: %s", method, got.Error)
		}
		if result != nil {
			must(b.t, json.Unmarshal(got.Result, result))
		}
		return
	}
}

// value evaluates an expression in the page.
func (b *browser) value(expression string) any {
	b.t.Helper()
	var got struct {
		Result           struct{ Value any }
		ExceptionDetails json.RawMessage
	}
	b.call("Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		b.t.Fatalf("%s: %s", expression, got.ExceptionDetails)
	}
	return got.Result.Value
}

// await waits until an expression is true in the page.
func (b *browser) await(expression string) {
	b.t.Helper()
	for deadline := time.Now().Add(time.Minute); b.value(expression) != true; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			b.t.Fatalf("not true within a minute: %s\n%.600v", expression, b.value("document.activeElement.outerHTML + document.body.innerText"))
		}
	}
}

// press presses a key, such as Tab, with its code.
func (b *browser) press(key string, code int, text string) {
	b.t.Helper()
	for _, kind := range []string{"keyDown", "keyUp"} {
		b.call("Input.dispatchKeyEvent", map[string]any{"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "text": text}, nil)
	}
}

// look sets the width of the window in pixels and the colours that the user prefers, "light" or "dark".
func (b *browser) look(width int, colours string) {
	b.t.Helper()
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": 1000, "deviceScaleFactor": 1, "mobile": width < 600},
		nil)
	b.call("Emulation.setEmulatedMedia", map[string]any{"features": []map[string]string{{"name": "prefers-color-scheme", "value": colours}}},
		nil)
}

// picture writes what the window shows to the folder that QUARTIER_PICTURES names, if there is one.
func (b *browser) picture(name string) {
	b.t.Helper()
	dir := os.Getenv("QUARTIER_PICTURES")
	if dir == "" {
		return
	}
	var got struct{ Data string }
	b.call("Page.captureScreenshot", map[string]any{"format": "png"}, &got)
	data, err := base64.StdEncoding.DecodeString(got.Data)
	must(b.t, err)
	must(b.t, os.WriteFile(filepath.Join(dir, name+".png"), data, 0o644))
}

// happened calls f with the parameters of each event of a method so far.
func happened[T any](b *browser, method string, f func(T)) {
	b.t.Helper()
	for _, e := range b.events {
		if e.Method != method {
			continue
		}
		var params T
		if err := json.Unmarshal(e.Params, &params); err != nil {
			b.t.Fatal(fmt.Errorf("%s: %w", method, err))
		}
		f(params)
	}
}
