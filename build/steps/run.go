package steps

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"time"
)

// Options are how a build is run.
type Options struct {
	Lanes int // steps that are run beside each other; 0: one
	Log   *slog.Logger
	Write func(path string, data []byte) error // writes a stamp
	Done  func(Done)                           // is called for each step in their order; nil: nobody
}

// Done is a step that was run or reused.
type Done struct {
	Name    string
	Seconds float64
	Bytes   int64 // of its files
	Reused  bool
}

// notes are those of steps by their place in the list.
type notes struct {
	mu   sync.Mutex
	list map[int][]string
}

func (n *notes) add(step int, list []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.list == nil {
		n.list = map[int][]string{}
	}
	n.list[step] = list
}

// Notes are those of the steps that are done, in their order.
func (b *Build) Notes() (all []string) {
	b.done.mu.Lock()
	defer b.done.mu.Unlock()
	for i := range b.Steps {
		all = append(all, b.done.list[i]...)
	}
	return all
}

// Run runs the steps that the plan does not reuse, and removes everything else from the folders before. A step begins when those
// that write what it uses are done and a lane is free, the first of the list first. If one fails, those after it in the list end, and
// those before it go on, so that the error is the same however long each takes. What was finished stays.
func (b *Build) Run(ctx context.Context, o Options) error {
	plan, err := b.Plan(ctx)
	if err == nil {
		err = b.removeRest(plan)
	}
	if err != nil {
		return err
	}
	r := &running{Build: b, o: &o, needs: b.needs(), results: make(chan result), list: make([]progress, len(b.Steps)), failed: len(b.Steps)}
	for i := range plan {
		r.list[i].reused, r.list[i].notes = plan[i].Reused, plan[i].Notes
	}
	for lane := range max(1, o.Lanes) {
		r.free = append(r.free, lane)
	}
	return r.all(ctx)
}

// needs are the steps that each step comes after, by their places. What no step writes is of regions.
func (b *Build) needs() [][]int {
	needs, writes, barrier := make([][]int, len(b.Steps)), map[string]int{}, -1
	for i, s := range b.Steps {
		if barrier >= 0 {
			needs[i] = append(needs[i], barrier)
		}
		for _, path := range s.Uses {
			if step, known := writes[path]; known {
				needs[i] = append(needs[i], step)
			}
		}
		if s.Always {
			for before := range i {
				needs[i] = append(needs[i], before)
			}
			barrier = i
		}
		for _, path := range s.Writes {
			writes[path] = i
		}
	}
	return needs
}

// running is a build that is run.
type running struct {
	*Build
	o        *Options
	needs    [][]int
	free     []int // lanes
	results  chan result
	list     []progress
	failed   int   // place of the first step that failed; the number of steps: none
	err      error // of that step
	reported int   // steps for which o.Done was called
}

// progress is how far a step is.
type progress struct {
	begun, ended, reused bool
	cancel               context.CancelFunc
	seconds              float64
	notes                []string
}

// result is how a step ended.
type result struct {
	step, lane int
	progress
	err error
}

func (r *running) all(ctx context.Context) error {
	for under := 0; ; {
		under += r.begin(ctx)
		if under == 0 {
			return r.err
		}
		r.take(<-r.results)
		under--
	}
}

// begin begins the steps that can, and returns how many run now that did not.
func (r *running) begin(ctx context.Context) (begun int) {
	for i := 0; i < r.failed; i++ {
		if r.list[i].begun || slices.ContainsFunc(r.needs[i], func(need int) bool { return !r.list[need].ended }) {
			continue
		}
		if r.list[i].reused {
			r.end(i, r.list[i])
			continue
		}
		if len(r.free) == 0 {
			continue // what is reused after it is there
		}
		lane := r.free[0]
		r.free, r.list[i].begun = r.free[1:], true
		var own context.Context
		own, r.list[i].cancel = context.WithCancel(ctx)
		begun++
		go func() {
			started := time.Now()
			notes, err := r.run(own, i, lane, r.o)
			r.results <- result{i, lane, progress{notes: notes, seconds: time.Since(started).Seconds()}, err}
		}()
	}
	return begun
}

// take takes the result of a step that ran.
func (r *running) take(ended result) {
	r.list[ended.step].cancel()
	r.free = append(r.free, ended.lane)
	slices.Sort(r.free)
	if ended.err == nil {
		r.end(ended.step, ended.progress)
		return
	}
	if ended.step < r.failed {
		r.failed, r.err = ended.step, fmt.Errorf("%s: %w", r.Steps[ended.step].Name, ended.err)
		for _, later := range r.list[ended.step+1:] {
			if later.cancel != nil {
				later.cancel()
			}
		}
	}
}

// end notes that a step is done, and reports the steps up to the first that is not.
func (r *running) end(step int, how progress) {
	how.begun, how.ended = true, true
	r.list[step] = how
	r.done.add(step, how.notes)
	if how.reused {
		r.o.Log.Info(r.Steps[step].Name, "reused", true)
	} else {
		r.o.Log.Info(r.Steps[step].Name, "seconds", strconv.FormatFloat(how.seconds, 'f', 1, 64))
	}
	for ; r.reported < len(r.list) && r.list[r.reported].ended; r.reported++ {
		if s := &r.Steps[r.reported]; r.o.Done != nil {
			how := &r.list[r.reported]
			r.o.Done(Done{s.Name, how.seconds, size(s.Writes), how.reused})
		}
	}
}
