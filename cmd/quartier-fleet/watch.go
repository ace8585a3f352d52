package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"quartier/cmd/quartier-fleet/flow"

	enums "go.temporal.io/api/enums/v1"
	workflows "go.temporal.io/api/workflow/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
)

const (
	patience = 15 * time.Second // with the answer to a question
	summed   = 30 * time.Second // between two lines of what runs
)

// lookEvery is the time between two looks at a workflow.
const lookEvery = 2 * time.Second

// watch prints for people where the steps of a workflow are: a line for each that begins or ends, and now and then what runs.
type watch struct {
	to      client.Client
	id, run string // of the workflow
	plan    flow.Plan
	out     io.Writer
	begun   time.Time
	summary time.Time // of the last
	phases  map[string]flow.Phase
}

func (w *watch) line(format string, args ...any) {
	fmt.Fprintf(w.out, "%7.1fs  "+format+"\n", append([]any{time.Since(w.begun).Seconds()}, args...)...)
}

// untilEnd prints until the workflow has ended, and returns its error.
func (w *watch) untilEnd(ctx context.Context, run client.WorkflowRun) error {
	ended := make(chan error, 1)
	go func() { ended <- run.Get(ctx, nil) }()
	for ticks := time.NewTicker(lookEvery); ; {
		select {
		case err := <-ended:
			ticks.Stop()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			_ = w.look(ctx) // the result says as much
			return resultOf(err)
		case <-ticks.C:
			if err := w.look(ctx); err != nil && ctx.Err() == nil && time.Since(w.summary) > summed {
				w.summary = time.Now()
				w.line("no word of the workflow; does quartier-fleet worker run? %v", err)
			}
		}
	}
}

// look prints what has changed since the last look.
func (w *watch) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	value, err := w.to.QueryWorkflow(ctx, w.id, w.run, flow.QueryProgress)
	if err != nil {
		return err
	}
	var all flow.Progress
	if err := value.Get(&all); err != nil {
		return err
	}
	counts := map[flow.Phase]int{}
	for _, s := range all.Steps {
		counts[s.Phase]++
		if w.phases[s.ID] != s.Phase {
			w.phases[s.ID] = s.Phase
			w.step(s)
		}
	}
	if time.Since(w.summary) < summed && counts[flow.Done] < len(all.Steps) {
		return nil
	}
	w.summary = time.Now()
	if len(w.plan.Steps) > 0 && all.Plan != w.plan.Digest() {
		w.line("the workflow runs another plan than that of the arguments")
	}
	w.line("%d of %d steps done, %d run or queue, %d wait, %d are held back, %d failed, %d miss those", counts[flow.Done], len(all.Steps),
		counts[flow.Running], counts[flow.Waiting], counts[flow.Gated], counts[flow.Failed], counts[flow.Missing])
	w.unserved(ctx)
	return w.attempts(ctx)
}

// unserved names the classes of steps that are in a queue for which no worker asks.
func (w *watch) unserved(ctx context.Context) {
	asked := map[string]bool{}
	for _, s := range w.plan.Steps {
		if asked[s.Class] || w.phases[s.ID] != flow.Running {
			continue
		}
		asked[s.Class] = true
		queue, err := w.to.DescribeTaskQueue(ctx, flow.QueueOf(s.Class, w.plan.Command.Program), enums.TASK_QUEUE_TYPE_ACTIVITY)
		if err == nil && len(queue.Pollers) == 0 {
			w.line("no worker takes %s steps: none runs with --queue %s and this very quartier", s.Class, s.Class)
		}
	}
}

// step prints the new phase of a step.
func (w *watch) step(s flow.State) {
	switch s.Phase {
	case flow.Waiting:
	case flow.Running:
		w.line("%s  begins", s.ID)
	case flow.Done:
		w.line("%s  done in %.1f s, attempt %d by %s, %d rows", s.ID, s.Report.Seconds, s.Report.Attempt, s.Report.Worker, s.Report.Rows)
	case flow.Gated:
		w.line("%s  is held back until the same command is given with --accept GATE=REASON and --id %s: %s", s.ID, w.id, s.Reason)
	default:
		w.line("%s  %s: %s", s.ID, s.Phase, s.Reason)
	}
}

// attempts prints the attempts that run, of the workflow and those of its regions, as the server has them.
func (w *watch) attempts(ctx context.Context) error {
	release, err := w.to.DescribeWorkflowExecution(ctx, w.id, w.run)
	if err != nil {
		return err
	}
	pending := release.PendingActivities
	for _, child := range release.PendingChildren {
		if region, err := w.to.DescribeWorkflowExecution(ctx, child.WorkflowId, child.RunId); err == nil { // else it has ended
			pending = append(pending, region.PendingActivities...)
		}
	}
	for _, a := range pending {
		w.line("  %s", attemptLine(a))
	}
	return nil
}

// attemptLine says where an attempt is, and why there was one before.
func attemptLine(a *workflows.PendingActivityInfo) string {
	text := fmt.Sprintf("%s  attempt %d", a.ActivityId, a.Attempt)
	var report flow.Report
	if converter.GetDefaultDataConverter().FromPayloads(a.HeartbeatDetails, &report) == nil {
		text += strings.TrimSuffix(fmt.Sprintf(" by %s, %d rows, %s", report.Worker, report.Rows, report.Doing), ", ")
	}
	if a.LastFailure != nil {
		text += "; before: " + a.LastFailure.Message
	}
	return text
}
