package steps

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quartier/internal/stamp"
)

// mesh is a build of steps of which each uses files of some before it.
type mesh struct {
	dir     string
	uses    [][]int
	always  map[int]bool
	fails   map[int]bool
	slow    map[int]time.Duration
	mu      sync.Mutex
	lanes   map[int]bool // in use
	ended   map[int]bool
	faults  []string
	ran     int
	most    int // steps at once
	reports []string
}

func (m *mesh) path(i int) string { return filepath.Join(m.dir, "files", fmt.Sprint(i)) }

func (m *mesh) build() *Build {
	b := &Build{Stamps: filepath.Join(m.dir, "stamps"), Folders: []string{filepath.Join(m.dir, "files")},
		Inputs: stamp.Inputs{stamp.Of("source", "1")}}
	for i, uses := range m.uses {
		s := Step{Name: fmt.Sprint("step ", i), Always: m.always[i], Do: func(ctx context.Context, lane int) ([]string, error) {
			return []string{fmt.Sprint("note ", i)}, m.do(ctx, i, lane)
		}}
		if !s.Always {
			s.Writes = []string{m.path(i)}
		}
		for _, use := range uses {
			s.Uses = append(s.Uses, m.path(use))
		}
		b.Steps = append(b.Steps, s)
	}
	return b
}

func (m *mesh) do(ctx context.Context, i, lane int) error {
	m.mu.Lock()
	if m.lanes[lane] {
		m.faults = append(m.faults, fmt.Sprintf("step %d in a lane that is in use", i))
	}
	m.lanes[lane] = true
	for before := range m.uses {
		needed := slices.Contains(m.uses[i], before) || before < i && (m.always[i] || m.always[before])
		if needed && !m.ended[before] {
			m.faults = append(m.faults, fmt.Sprintf("step %d began before the end of %d", i, before))
		}
	}
	m.ran, m.most = m.ran+1, max(m.most, len(m.lanes))
	m.mu.Unlock()
	select {
	case <-time.After(m.slow[i]):
	case <-ctx.Done():
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.lanes, lane)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if m.fails[i] {
		return errors.New("planted")
	}
	m.ended[i] = true
	if m.always[i] {
		return nil
	}
	return os.WriteFile(m.path(i), []byte(fmt.Sprint(i)), 0o644)
}

func (m *mesh) run(ctx context.Context, lanes int) (*Build, error) {
	m.lanes, m.ended, m.reports, m.ran = map[int]bool{}, map[int]bool{}, nil, 0
	for i := range m.uses {
		if _, err := os.Stat(m.path(i)); err == nil {
			m.ended[i] = true
		}
	}
	b := m.build()
	err := b.Run(ctx, Options{Lanes: lanes, Log: slog.New(slog.DiscardHandler), Write: write,
		Done: func(d Done) { m.reports = append(m.reports, d.Name) }})
	return b, err
}

func write(path string, data []byte) error { return os.WriteFile(path, data, 0o644) }

func newMesh(t interface{ Fatal(...any) }, dir string, uses ...[]int) *mesh {
	for _, folder := range []string{"stamps", "files"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &mesh{dir: dir, uses: uses, always: map[int]bool{}, fails: map[int]bool{}, slow: map[int]time.Duration{}}
}

// TestLanes runs any steps in any number of lanes: each after what it needs, in a lane of its own, with notes and reports in the order of
// the list. The error is that of the first of the list that fails, whichever ends first, and the next run does the rest.
func TestLanes(t *testing.T) {
	root := t.TempDir()
	worlds := 0
	rapid.Check(t, func(t *rapid.T) {
		worlds++
		m := newMesh(t, filepath.Join(root, fmt.Sprint(worlds)))
		first := -1
		for i := range rapid.IntRange(1, 9).Draw(t, "steps") {
			var uses []int
			for before := range i {
				if !m.always[before] && rapid.Bool().Draw(t, "uses") {
					uses = append(uses, before)
				}
			}
			m.uses = append(m.uses, uses)
			m.always[i] = rapid.IntRange(0, 5).Draw(t, "always") == 0
			m.slow[i] = time.Duration(rapid.IntRange(0, 300).Draw(t, "µs")) * time.Microsecond
			if m.fails[i] = rapid.IntRange(0, 9).Draw(t, "fails") == 0; m.fails[i] && first < 0 {
				first = i
			}
		}
		lanes := rapid.IntRange(0, 4).Draw(t, "lanes")
		_, err := m.run(context.Background(), lanes)
		if first >= 0 {
			if want := fmt.Sprintf("step %d: planted", first); err == nil || err.Error() != want {
				t.Fatalf("error %v, want %s", err, want)
			}
			m.fails = nil
		}
		b, err := m.run(context.Background(), lanes)
		if err != nil || len(m.faults) > 0 || m.most > max(1, lanes) {
			t.Fatalf("%v, %v, %d steps at once in %d lanes", err, m.faults, m.most, lanes)
		}
		if first < 0 && m.ran != len(slices.DeleteFunc(slices.Clone(b.Steps), func(s Step) bool { return !s.Always })) {
			t.Fatalf("%d steps ran again", m.ran)
		}
		var names, notes []string
		for i := range m.uses {
			names, notes = append(names, fmt.Sprint("step ", i)), append(notes, fmt.Sprint("note ", i))
		}
		if !slices.Equal(m.reports, names) || !slices.Equal(b.Notes(), notes) {
			t.Fatalf("reported %v with the notes %v", m.reports, b.Notes())
		}
	})
}

// TestStepsBesideEachOther has two steps that wait for each other.
func TestStepsBesideEachOther(t *testing.T) {
	m := newMesh(t, t.TempDir(), nil, nil)
	b, met := m.build(), make(chan bool)
	for i := range b.Steps {
		b.Steps[i].Do = func(context.Context, int) ([]string, error) {
			select {
			case met <- true:
			case <-met:
			}
			return nil, os.WriteFile(m.path(i), nil, 0o644)
		}
	}
	o := Options{Lanes: 2, Log: slog.New(slog.DiscardHandler), Write: write}
	if err := b.Run(t.Context(), o); err != nil {
		t.Error(err)
	}
}

// TestFailureEndsLaterSteps fails a step while one before it and one after it run: that after it ends, and that before it goes on.
func TestFailureEndsLaterSteps(t *testing.T) {
	m := newMesh(t, t.TempDir(), nil, nil, nil, nil)
	m.fails[1] = true
	m.slow[0], m.slow[1], m.slow[2] = 50*time.Millisecond, time.Millisecond, time.Hour
	b, err := m.run(t.Context(), 3)
	if err == nil || err.Error() != "step 1: planted" {
		t.Error(err)
	}
	if !m.ended[0] || m.ended[2] || m.ended[3] || !b.Finished() {
		t.Errorf("ended: %v", m.ended)
	}
}
