package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestAccessKeyCommands makes, lists and revokes keys.
func TestAccessKeyCommands(t *testing.T) {
	dsn := "sqlite:" + t.TempDir() + "/state.db"
	mustRun(t, "account", "create", "--state", dsn, "--customer", "Acme")
	create := []string{"account", "key", "create", "--state", dsn, "--customer", "Acme"}
	var made struct{ Key, Secret, ID, Kind string }
	decode := func(text string, into any) {
		t.Helper()
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("%v in %s", err, text)
		}
	}
	out, _ := mustRun(t, append(create, "--publishable", "--origin", "https://portal.example", "--origin", "http://localhost:8080",
		"--scores", "quiet,parks", "--rate", "20")...)
	decode(out, &made)
	if !strings.HasPrefix(made.Key, "qp_") || made.Secret != "" || made.ID == made.Key || made.Kind != "publishable" {
		t.Errorf("made %s", out)
	}
	var signing struct{ Key, Secret, ID string }
	out, _ = mustRun(t, append(create, "--signing")...)
	if decode(out, &signing); signing.Key != signing.ID || len(signing.Secret) != 43 {
		t.Errorf("made %s", out)
	}
	var listed struct {
		Keys []struct {
			ID, Customer string
			Origins      []string
			RevokedAt    string `json:"revoked_at"`
		}
	}
	mustRun(t, "account", "key", "revoke", "--state", dsn, made.Key)
	mustRun(t, "account", "key", "revoke", "--state", dsn, signing.ID)
	out, _ = mustRun(t, "account", "key", "list", "--state", dsn)
	decode(out, &listed)
	if strings.Contains(out, made.Key) || strings.Contains(out, signing.Secret) || len(listed.Keys) != 2 {
		t.Errorf("listed %s", out)
	}
	for _, k := range listed.Keys {
		if k.Customer != "Acme" || k.RevokedAt == "" || (k.ID == made.ID) != (len(k.Origins) == 2) {
			t.Errorf("listed %+v", k)
		}
	}
	for name, c := range map[string]struct {
		args []string
		code int
		text string
	}{
		"no kind":           {create, exitUsage, "--publishable"},
		"both kinds":        {append(create, "--publishable", "--signing", "--origin", "https://a.example"), exitUsage, "--signing"},
		"no origin":         {append(create, "--publishable"), exitUsage, "--origin"},
		"an http origin":    {append(create, "--publishable", "--origin", "http://portal.example"), exitUsage, "use https"},
		"a wildcard":        {append(create, "--publishable", "--origin", "https://*.example"), exitUsage, "no wildcard"},
		"an empty origin":   {append(create, "--publishable", "--origin", ""), exitUsage, "origin"},
		"a signing origin":  {append(create, "--signing", "--origin", "https://a.example"), exitUsage, "--origin"},
		"no scores":         {append(create, "--signing", "--scores", ""), exitUsage, "--scores"},
		"no rate":           {append(create, "--signing", "--rate", "0"), exitUsage, "--rate"},
		"nobody":            {[]string{"account", "key", "create", "--state", dsn, "--customer", "X", "--signing"}, exitFailure, "account list"},
		"revoke nothing":    {[]string{"account", "key", "revoke", "--state", dsn, "qpk_x"}, exitFailure, "unknown key"},
		"revoke without id": {[]string{"account", "key", "revoke", "--state", dsn}, exitUsage, "ID"},
	} {
		if code, _, stderr := quartier(c.args...); code != c.code || !strings.Contains(stderr, c.text) {
			t.Errorf("%s: exit %d, %s", name, code, stderr)
		}
	}
}
