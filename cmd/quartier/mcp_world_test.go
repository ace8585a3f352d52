package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"quartier/fixtures"
	"quartier/schemas"
)

// TestMCPOfTheWorld speaks with quartier mcp over the streams of the process and over HTTP: its numbers are those of quartierd over the
// same release, explanations those of quartier explain.
func TestMCPOfTheWorld(t *testing.T) {
	t.Parallel()
	release := filepath.Join(townsDir(t), "first")
	s := startServer(t, release)
	_, token := s.account(t)
	at := fixtures.DemoPoint()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)

	program := child("mcp", "--release", release)
	overStreams, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: program}, nil)
	if err != nil {
		t.Fatal(err)
	}
	web, address := startMCP(t, release)
	overHTTP, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: address}, nil)
	if err != nil {
		t.Fatal(err)
	}

	status, body := s.get(t, token, fmt.Sprintf("/v3/scores?lat=%v&lng=%v", at.Lat, at.Lng))
	var api schemas.ScoresAnswer
	if err := json.Unmarshal(body, &api); err != nil || len(api.Data.Location) == 0 {
		t.Fatal(status, err, string(body))
	}
	explained, _ := mustRun(t, "explain", "--release", release, "--lat", fmt.Sprint(at.Lat), "--lng", fmt.Sprint(at.Lng), "--score",
		"cafes", "--json")
	for _, session := range []*mcp.ClientSession{overStreams, overHTTP} {
		var got struct {
			Data struct {
				Scores []struct {
					Score string
					Value float64
				}
			}
			Citations []struct{ Source, Licence, As_of string }
		}
		call(t, session, "scores", map[string]any{"lat": at.Lat, "lng": at.Lng}, &got)
		if len(got.Data.Scores) != len(api.Data.Location) || len(got.Citations) == 0 || got.Citations[0].As_of == "" {
			t.Errorf("%+v, and the API has %+v", got, api.Data.Location)
		}
		for _, score := range got.Data.Scores {
			if want, err := strconv.ParseFloat(api.Data.Location[score.Score].Value, 64); err != nil || score.Value != want {
				t.Errorf("%+v, and the API has %+v", score, api.Data.Location[score.Score])
			}
		}
		var mine struct {
			Data struct {
				Scores []struct{ Served struct{ Value float64 } }
			}
		}
		var command struct {
			Values []struct{ Served struct{ Value float64 } }
		}
		call(t, session, "explain", map[string]any{"lat": at.Lat, "lng": at.Lng, "scores": []string{"cafes"}}, &mine)
		if err := json.Unmarshal([]byte(explained), &command); err != nil || mine.Data.Scores[0] != command.Values[0] {
			t.Errorf("%+v, and quartier explain has %+v, %v", mine, command, err)
		}
		var places struct {
			Data struct {
				Places []struct{ Walk_m, Walk_minutes float64 }
			}
		}
		call(t, session, "places", map[string]any{"lat": at.Lat, "lng": at.Lng, "categories": []string{"cafes"}, "limit": 5}, &places)
		if len(places.Data.Places) == 0 || places.Data.Places[0].Walk_m <= 0 || places.Data.Places[0].Walk_minutes <= 0 {
			t.Errorf("no way on foot to the nearest café: %+v", places)
		}
		for tool, path := range map[string]string{"people": "/v3/demographics", "schools": "/v3/schools", "profile": "/v3/profiles"} {
			var answer struct{ Data map[string]json.RawMessage }
			call(t, session, tool, map[string]any{"lat": at.Lat, "lng": at.Lng}, &answer)
			if status, _ := s.get(t, token, fmt.Sprintf("%s?lat=%v&lng=%v", path, at.Lat, at.Lng)); status != 200 || len(answer.Data) == 0 {
				t.Errorf("%s: %v; %s: %d", tool, answer, path, status)
			}
		}
	}
	overHTTP.Close()
	web.Process.Signal(syscall.SIGTERM)
	if err := web.Wait(); err != nil {
		t.Errorf("quartier mcp --addr ended with %v after SIGTERM", err)
	}
	if err := overStreams.Close(); err != nil || program.ProcessState.ExitCode() != 0 { // the end of the input
		t.Errorf("quartier mcp ended with %v, %v", err, program.ProcessState)
	}
}

// startMCP starts quartier mcp with a free port, and returns its address.
func startMCP(t *testing.T, release string) (*exec.Cmd, string) {
	t.Helper()
	program := child("mcp", "--release", release, "--addr", "127.0.0.1:0")
	log, err := program.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Process.Signal(os.Kill) })
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if found := regexp.MustCompile(`url=(\S+) .*digest=[0-9a-f]{64}`).FindStringSubmatch(lines.Text()); found != nil {
			return program, found[1]
		}
	}
	t.Fatal("quartier mcp does not say where it serves")
	return nil, ""
}

func call(t *testing.T, session *mcp.ClientSession, tool string, arguments, into any) {
	t.Helper()
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil || result.IsError {
		t.Fatalf("%s: %v %+v", tool, err, result)
	}
	if err := json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), into); err != nil {
		t.Fatal(err)
	}
}

// TestMCPRefuses checks flags, and a release that is none.
func TestMCPRefuses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"mcp"}, exitUsage, "release"},
		{[]string{"mcp", "--release", t.TempDir()}, exitNotVerified, "release rejected"},
		{[]string{"mcp", "--release", "x", "--allow-remote"}, exitUsage, "--addr"},
		{[]string{"mcp", "--release", "x", "more"}, exitUsage, "unexpected argument"},
		{[]string{"mcp", "--release", "x", "--addr", "0.0.0.0:0"}, exitUsage, "--allow-remote"},
		{[]string{"mcp", "--release", "x", "--addr", "example.org:80"}, exitUsage, "--allow-remote"},
		{[]string{"mcp", "--release", "x", "--addr", "nonsense"}, exitUsage, "--addr"},
	} {
		code, out, errs := quartier(test.args...)
		if code != test.code || out != "" && len(test.args) > 1 || !strings.Contains(errs, test.says) {
			t.Errorf("%v: exit code %d\n%s\n%s", test.args, code, out, errs)
		}
	}
}
