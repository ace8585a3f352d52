package client_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"quartier/serve/servetest"
)

// TestNpmPackage packs the TypeScript client, and compiles and runs testdata/consumer.ts in a folder in which it is installed.
func TestNpmPackage(t *testing.T) {
	needPackages(t)
	s := startServer(t)
	dir := t.TempDir()
	for name, value := range map[string]string{
		"QUARTIER_SERVER": s.url, "QUARTIER_CLIENT_ID": s.made.ClientID, "QUARTIER_CLIENT_SECRET": s.made.ClientSecret,
		"QUARTIER_POINT": fmt.Sprintf("%v,%v", servetest.NorthLat, servetest.Lng),
	} {
		t.Setenv(name, value)
	}
	run(t, "npm", "pack", "--silent", "--offline", "--pack-destination", dir)
	packed, err := filepath.Glob(filepath.Join(dir, "quartier-client-*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatal(packed, err)
	}
	modules := filepath.Join(dir, "node_modules")
	if err := os.MkdirAll(modules, 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, "tar", "-xzf", packed[0], "-C", modules)
	if err := os.Rename(filepath.Join(modules, "package"), filepath.Join(modules, "quartier-client")); err != nil {
		t.Fatal(err)
	}
	var files []string
	err = filepath.WalkDir(filepath.Join(modules, "quartier-client"), func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files = append(files, path[len(modules)+len("/quartier-client/"):])
		}
		return err
	})
	want := []string{"LICENSE", "README.md", "dist/client.d.ts", "dist/client.js", "dist/schema.d.ts", "dist/schema.js", "package.json"}
	if err != nil || !slices.Equal(files, want) {
		t.Errorf("the package has %v, want %v, %v", files, want, err)
	}
	run(t, "cp", "-r", "node_modules/openapi-fetch", "node_modules/openapi-typescript-helpers", "node_modules/@types",
		"node_modules/undici-types", modules)
	run(t, "cp", "testdata/consumer.ts", dir)
	settings, _ := json.Marshal(map[string]any{"files": []string{"consumer.ts"}, "compilerOptions": map[string]any{
		"target": "es2022", "module": "nodenext", "strict": true, "exactOptionalPropertyTypes": true, "noUncheckedIndexedAccess": true,
		"types": []string{"node"}}})
	for name, text := range map[string]string{"tsconfig.json": string(settings), "package.json": `{"type": "module"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run(t, "node_modules/.bin/tsc", "--project", dir)
	if out := run(t, "node", filepath.Join(dir, "consumer.js")); out != "all well\n" {
		t.Errorf("%s", out)
	}
}
