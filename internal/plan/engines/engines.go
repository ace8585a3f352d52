// Package engines writes the steps of a plan as documents for engines that run them: a Workflow of Argo, Jobs of Kubernetes, a
// DAG of Airflow, a script for Slurm. Each names every step and what it needs, runs quartier step run for it, and tries again
// but after the exit codes that another attempt would end with, too.
package engines

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"unicode/utf8"

	"quartier/internal/plan"
)

// Names are the engines that Write knows.
var Names = []string{"airflow", "argo", "kubernetes", "slurm"}

// Retries is how often an engine tries a step again.
const Retries = 4

// Plan is what the documents are made of. Strings may have any letters but NUL.
type Plan struct {
	Steps     []plan.Step
	Release   string   // path of the release file, where steps run
	Work      string   // address of the place of work
	Program   string   // name or path of quartier, where steps run
	Arguments []string // of quartier step run besides, such as --data and its folder
	Image     string   // of containers, with Program and sh
	Volume    string   // CLAIM:/FOLDER, a volume claim that containers mount and work in; "": none
}

// ErrUnknown: there is no engine of that name.
var ErrUnknown = errors.New("engine is none of " + strings.Join(Names, ", "))

//go:embed templates
var files embed.FS

var documents = template.Must(template.New("").Funcs(template.FuncMap{
	"quote":   strconv.Quote, // YAML and Python read it as a string, too: what Go escapes, they know by the same letters
	"bash":    bash,
	"sh":      sh,
	"words":   words,
	"dollars": dollars,
	"join":    join,
}).ParseFS(files, "templates/*"))

// Write writes the document for an engine. The error is ErrUnknown, or says what is wrong with the plan. Nothing is written
// after an error of the plan.
func Write(w io.Writer, name string, p Plan) error {
	if !slices.Contains(Names, name) {
		return fmt.Errorf("%q: %w", name, ErrUnknown)
	}
	if err := p.check(name); err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	tasks, err := order(p.Steps, allowed[name])
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	claim, folder, _ := strings.Cut(p.Volume, ":")
	d := document{Plan: p, Name: p.name(), Tasks: tasks, Claim: claim, Folder: folder, Retries: Retries,
		Options: append([]string{"--release", p.Release, "--work", p.Work}, p.Arguments...),
		Scratch: strings.Contains(p.Work, "://") && !strings.HasPrefix(p.Work, "file://")}
	return documents.ExecuteTemplate(w, name, d)
}

// document is what the templates see.
type document struct {
	Plan
	Name          string // of the release, for names in Kubernetes
	Tasks         []*task
	Options       []string // of quartier step run, after the attempt
	Claim, Folder string
	Scratch       bool // what steps write is on the disk of their machine first
	Retries       int
}

// volume is CLAIM:/FOLDER with a claim that Kubernetes takes.
var volume = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?:/[^:]*$`)

// check returns what no engine could run, or this one.
func (p Plan) check(engine string) error {
	texts := append([]string{p.Release, p.Work, p.Program, p.Image, p.Volume}, p.Arguments...)
	for _, s := range p.Steps {
		texts = append(texts, s.ID)
		if s.ID == "" || s.ID[0] == '-' {
			return fmt.Errorf("%q is no id of a step", s.ID)
		}
	}
	for _, text := range texts {
		switch {
		case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
			return fmt.Errorf("%q is not text of UTF-8 without NUL", text)
		case engine == "argo" && strings.Contains(text, "{{"):
			return fmt.Errorf("%q has {{, which Argo takes for its own", text)
		}
	}
	switch {
	case len(p.Steps) == 0:
		return errors.New("no steps")
	case p.Volume != "" && !volume.MatchString(p.Volume):
		return fmt.Errorf("volume %q is not CLAIM:/FOLDER", p.Volume)
	case p.Image == "" && (engine == "argo" || engine == "kubernetes"):
		return fmt.Errorf("%s runs containers: an image is needed", engine)
	}
	return nil
}

var notLabel = regexp.MustCompile(`[^a-z0-9]+`)

// name is the name of the release file in the letters of a label of Kubernetes, short enough that a number fits behind it.
func (p Plan) name() string {
	base := path.Base(p.Release)
	name := notLabel.ReplaceAllString(strings.ToLower(strings.TrimSuffix(base, path.Ext(base))), "-")
	name = strings.Trim("quartier-"+strings.Trim(name, "-"), "-")
	return strings.TrimRight(name[:min(len(name), 40)], "-")
}
