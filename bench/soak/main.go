// Command soak runs the checks of builds and servers that need long, from a seed and for a time: builds are killed and their
// operations fail, releases are damaged and swapped, requests, tokens, polygons and clients are bad, stores are away.
//
// In: quartier and quartierd under bin/, and for some rows a C compiler, PostgreSQL and Redis. Out: a line for each row and each
// planted fault, and under out/soak the log and the curves of what the server takes. The exit code is 1 where a check fails or does
// not find a planted fault. The same seed gives the same sequence of operations; how far it goes depends on the machine.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"quartier/bench/attack"
	"quartier/bench/fail"
	"quartier/bench/soak/building"
	"quartier/bench/soak/processes"
	"quartier/internal/drill"
)

// subprograms run in separate processes.
var subprograms = map[string]func(operands []string){"attack": attack.Run, "faulty": processes.Faulty}

func main() {
	if len(os.Args) > 2 && subprograms[os.Args[1]] != nil {
		if err := fail.Try(func() { subprograms[os.Args[1]](os.Args[2:]) }); err != nil {
			log.Fatal("soak: ", err)
		}
		return
	}
	var o options
	flags := flag.NewFlagSet("soak", flag.ExitOnError)
	flags.Float64Var(&o.minutes, "minutes", 30, "`time` of all rows together, shared by their weights; each is run once at least")
	flags.Uint64Var(&o.seed, "seed", 1, "`seed` of what is drawn")
	flags.StringVar(&o.out, "out", "out/soak", "`folder` of the log and the curves")
	flags.StringVar(&o.bin, "bin", "bin", "`folder` of quartier and quartierd")
	flags.StringVar(&o.rows, "rows", "", "comma-separated `numbers` of rows; all by default")
	flags.Parse(os.Args[1:])
	failed, err := o.run()
	if err != nil {
		log.Fatal("soak: error: ", err)
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// options are those of the command.
type options struct {
	minutes        float64
	seed           uint64
	out, bin, rows string
}

// run runs the rows and returns how many checks failed.
func (o options) run() (failed int, err error) {
	asked, err := o.asked()
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return 0, err
	}
	file, err := os.Create(filepath.Join(o.out, "log"))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	scratch, err := os.MkdirTemp("", "quartier-soak-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(scratch)
	e := &environment{out: o.out, scratch: scratch, seed: o.seed, log: file, screen: io.MultiWriter(os.Stdout, file)}
	if e.programs, err = o.programs(); err != nil {
		return 0, err
	}
	defer e.stores.Stop()
	begun := time.Now()
	fmt.Fprintf(e.screen, "soak: %g minutes, seed %d, %s\n", o.minutes, o.seed, begun.UTC().Format(time.RFC3339))
	weights := 0
	for _, r := range asked {
		weights += r.weight
	}
	for _, r := range asked {
		failed += e.row(r, time.Duration(o.minutes*float64(time.Minute))*time.Duration(r.weight)/time.Duration(weights))
	}
	fmt.Fprintf(e.screen, "soak: %d rows, %d failed checks, %s\n", len(asked), failed, time.Since(begun).Round(time.Second))
	return failed, nil
}

// asked are the rows that are asked for.
func (o options) asked() ([]row, error) {
	if o.rows == "" {
		return rows, nil
	}
	var list []row
	for _, text := range strings.Split(o.rows, ",") {
		n, err := strconv.Atoi(text)
		at := slices.IndexFunc(rows, func(r row) bool { return r.number == n })
		if err != nil || at < 0 {
			return nil, fmt.Errorf("no row %q", text)
		}
		list = append(list, rows[at])
	}
	return list, nil
}

// programs are those that rows start.
func (o options) programs() (p processes.Programs, err error) {
	if p.Bin, err = filepath.Abs(o.bin); err != nil {
		return p, err
	}
	for _, name := range []string{"quartier", "quartierd"} {
		if _, err := os.Stat(filepath.Join(p.Bin, name)); err != nil {
			return p, fmt.Errorf("%w; run make build first", err)
		}
	}
	p.Self, err = os.Executable()
	return p, err
}

// environment is what rows use.
type environment struct {
	out, scratch string
	seed         uint64
	log          io.Writer // the file
	screen       io.Writer // standard output and the file
	programs     processes.Programs
	stores       drill.Stores
	sources      string // of the synthetic world; "": not written yet
}

// quartier is a run of the program.
func (e *environment) quartier(args ...string) *exec.Cmd {
	return exec.Command(filepath.Join(e.programs.Bin, "quartier"), args...)
}

// written is the folder of the synthetic sources.
func (e *environment) written() string {
	if e.sources == "" {
		e.sources = filepath.Join(e.scratch, "sources")
		if out, err := e.quartier("fixtures", "--out", e.sources).CombinedOutput(); err != nil {
			panic(fmt.Sprintf("%v\n%s", err, out))
		}
	}
	return e.sources
}

// builds are builds of the smallest of the synthetic sources.
func (e *environment) builds(args ...string) building.Builds {
	return building.Builds{Program: e.quartier, Args: append([]string{"--pbf", filepath.Join(e.written(), "osm", "landing.osm.pbf")}, args...)}
}
