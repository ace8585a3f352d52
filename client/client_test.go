package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"quartier/client"
	"quartier/internal/testenv"
)

// TestGoClientIsCurrent generates the Go client again and compares it with the one in the repository.
func TestGoClientIsCurrent(t *testing.T) {
	generated := filepath.Join(t.TempDir(), "client.gen.go")
	run(t, "go", "tool", "oapi-codegen", "-config", "oapi-codegen.yaml", "-o", generated, "openapi.json")
	got, err := os.ReadFile(generated)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("client.gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("client.gen.go is not what openapi.json gives; run make client")
	}
}

// TestTypeScriptClientCompiles generates the types and compiles the client, its example, and what must not compile.
func TestTypeScriptClientCompiles(t *testing.T) {
	needPackages(t)
	run(t, "npm", "run", "build")
}

// TestDocumentLints checks the document by the rules that Redocly recommends: neither errors nor warnings.
func TestDocumentLints(t *testing.T) {
	needPackages(t)
	out, err := exec.Command("npm", "run", "--silent", "lint", "--", "--format=json").Output()
	var report struct {
		Totals struct{ Errors, Warnings, Ignored *int }
	}
	if json.Unmarshal(out, &report) != nil || report.Totals.Errors == nil || report.Totals.Warnings == nil || report.Totals.Ignored == nil {
		t.Fatalf("redocly lint: %v\n%s", err, out)
	}
	if *report.Totals.Errors+*report.Totals.Warnings+*report.Totals.Ignored > 0 {
		t.Errorf("redocly lint: %s", out)
	}
}

// needPackages skips the test where the packages of package-lock.json are not installed.
func needPackages(t *testing.T) {
	t.Helper()
	testenv.NeedProgram(t, "npm")
	if _, err := os.Stat(filepath.Join("node_modules", ".bin", "redocly")); err != nil {
		testenv.NotInstalled(t, "a package of client/package-lock.json (npm ci)")
	}
}

func run(t *testing.T, name string, args ...string) {
	t.Helper()
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
}

// TestConnect checks that a client gets a token once, and sends it with every request.
func TestConnect(t *testing.T) {
	grants, requests := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/oauth/token":
			var in client.TokenRequest
			if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.ClientID != "id" {
				w.WriteHeader(http.StatusUnauthorized)
				json.NewEncoder(w).Encode(client.Problem{Code: "Service.API.Unauthorized"})
				return
			}
			grants++
			json.NewEncoder(w).Encode(client.TokenGrant{AccessToken: "secret", TokenType: "Bearer", ExpiresIn: 3600})
		case r.Header.Get("Authorization") == "Bearer secret" && r.URL.RawQuery == "lat=45.5&lng=-72.5&geography_levels=10,30&include=cafes,quiet":
			requests++
			w.Write([]byte(`{"data":{"type":"scores","location":{"cafes":{"value":"4.5","text":"x"}},"new":1},"meta":{"message":"","type":"","statusCode":200}}`))
		default:
			t.Errorf("%s %s with %q", r.Method, r.URL, r.Header.Get("Authorization"))
		}
	}))
	defer server.Close()
	if _, err := client.Connect(context.Background(), server.URL, "other", ""); err == nil || !strings.Contains(err.Error(), "401") {
		t.Errorf("wrong credentials give %v", err)
	}
	c, err := client.Connect(context.Background(), server.URL, "id", "")
	if err != nil {
		t.Fatal(err)
	}
	lat, lng := 45.5, -72.5
	for range 2 {
		answer, err := c.GetScoresWithResponse(context.Background(), &client.GetScoresParams{
			Lat: &lat, Lng: &lng, GeographyLevels: []client.GetScoresParamsGeographyLevels{"10", "30"}, Include: []client.Score{client.ScoreCafes, client.ScoreQuiet},
		})
		if err != nil || answer.JSON200 == nil || answer.JSON200.Data.Location["cafes"].Value != "4.5" {
			t.Fatalf("%+v, %v", answer, err)
		}
	}
	if grants != 1 || requests != 2 {
		t.Errorf("%d tokens for %d requests", grants, requests)
	}
}
