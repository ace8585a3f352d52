package client_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"quartier/internal/testenv"
	"quartier/serve/servetest"
)

// TestPythonClient runs the tests of the Python client, those against a server too.
func TestPythonClient(t *testing.T) {
	testenv.NeedProgram(t, "python3")
	s := startServer(t)
	command := exec.Command("python3", "-W", "ignore", "-m", "unittest", "-v", "test_quartier")
	command.Dir = "python"
	command.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "QUARTIER_URL="+s.url, "QUARTIER_CLIENT_ID="+s.made.ClientID,
		"QUARTIER_CLIENT_SECRET="+s.made.ClientSecret, fmt.Sprintf("QUARTIER_POINT=%v,%v", servetest.NorthLat, servetest.Lng),
		"QUARTIER_GEOGRAPHY="+servetest.NorthOld, "QUARTIER_CELL="+servetest.NorthCell)
	out, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "test_every_read") || strings.Contains(string(out), "skipped") {
		t.Errorf("%v\n%s", err, out)
	}
}
