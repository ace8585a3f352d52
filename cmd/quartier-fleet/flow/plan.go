// Package flow has the workflows by which Temporal runs the steps of a plan: one for the release, one for each region, and an
// activity for each step. Workflows are replayed from their history, so that nothing here depends on the order of a map, on the
// time or on a file. Whoever changes which commands they give in which order raises the number of Queue.
package flow

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"time"

	"quartier/internal/plan"
	"quartier/schemas"
)

// Queue is the task queue of the workflows, which workers of this version poll beside those of steps.
const Queue = "coordination-1"

// QueueOf is the task queue of a class of steps: workers with another program never see what they would have to refuse.
func QueueOf(class, program string) string { return class + "-" + program }

// Names by which the server knows the activity, signals and queries.
const (
	ActivityAttempt = "attempt"
	SignalAccept    = "accept"   // of schemas.Acceptance, to the workflow of the release
	QueryProgress   = "progress" // of the workflow of the release: Progress

	signalRun  = "run"  // of Order, from the workflow of the release to that of a region
	signalStep = "step" // of State, the answer
)

// Plan is what the workflow of a release is to do.
type Plan struct {
	Command Command
	Steps   []plan.Step // each after those that it needs; files are not needed
}

// Command is how workers run steps.
type Command struct {
	Release, Work string        // file; folder or address of a store
	Flags         []string      // others of quartier step run, such as --data
	Program       string        // digest of the file of quartier
	Tries         int32         // attempts of a step at most
	LostAfter     time.Duration // without a word of it an attempt is lost
}

// Order is what an attempt is to do.
type Order struct {
	Command Command
	Step    plan.Step
	Accept  []schemas.Acceptance
}

// Report is what is known of an attempt, while it runs or at its end.
type Report struct {
	Attempt int32
	Worker  string
	Rows    int64
	Doing   string
	Seconds float64
}

// Phase is where a step is.
type Phase string

// Phases. Errors of attempts and workflows have a type of the same name.
const (
	Waiting Phase = "waiting"
	Running Phase = "running" // or in a queue
	Gated   Phase = "gate"    // waits for an acceptance
	Done    Phase = "done"
	Failed  Phase = "failed"
	Missing Phase = "missing" // never begun, because a step that it needs is not done
	Alarm   Phase = "alarm"   // two attempts ended with different digests
)

// State is where a step is, and why. What attempts that run have done is known to the server alone.
type State struct {
	ID     string
	Phase  Phase
	Reason string
	Report Report // of the last attempt, once the step has ended
}

// Progress is where the steps of a plan are, in its order.
type Progress struct {
	Plan  string // Digest
	Steps []State
}

// Digest is the same for plans of the same work: not by estimates, which are others after a run.
func (p Plan) Digest() string {
	h := sha256.New()
	fmt.Fprintf(h, "%q %q %q %s\n", p.Command.Release, p.Command.Work, p.Command.Flags, p.Command.Program)
	for _, s := range p.Steps {
		fmt.Fprintf(h, "%q %q %q\n", s.ID, s.Region, s.Needs)
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:6])
}

// Check says why the steps of a plan cannot be run.
func (p Plan) Check() error {
	known := map[string]bool{}
	for _, s := range p.Steps {
		if known[s.ID] || s.Class == "" || slices.ContainsFunc(s.Needs, func(id string) bool { return !known[id] }) {
			return fmt.Errorf("step %q is twice in the plan, has no class, or needs %q, which do not all come before it", s.ID, s.Needs)
		}
		known[s.ID] = true
	}
	return nil
}
