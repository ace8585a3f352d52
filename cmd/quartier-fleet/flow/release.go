package flow

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"quartier/internal/plan"
	"quartier/schemas"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// shortest is the time that an attempt has, whatever the estimate.
const shortest = 10 * time.Minute

// release is what its workflow knows.
type release struct {
	plan     Plan
	states   map[string]State
	regions  map[string]workflow.ChildWorkflowFuture // by name
	accepted []schemas.Acceptance                    // the last of each gate
	given    int                                     // acceptances, also of gates that were accepted before
}

// Release runs the steps of a plan, those of a region by the workflow Region. A step that fails stops those that need it and no
// others; the error then names all that is missing. Two digests of one step end everything at once.
func Release(ctx workflow.Context, p Plan) error {
	if err := p.Check(); err != nil {
		return failure(Failed, err.Error())
	}
	r := &release{plan: p, states: map[string]State{}, regions: map[string]workflow.ChildWorkflowFuture{}}
	for _, s := range p.Steps {
		r.states[s.ID] = State{ID: s.ID, Phase: Waiting}
	}
	if err := workflow.SetQueryHandler(ctx, QueryProgress, func() (Progress, error) { return Progress{p.Digest(), r.in()}, nil }); err != nil {
		return err
	}
	listen(ctx, signalStep, func(_ workflow.Context, s State) { r.states[s.ID] = s })
	listen(ctx, SignalAccept, func(_ workflow.Context, a schemas.Acceptance) {
		r.accepted = append(slices.DeleteFunc(r.accepted, func(b schemas.Acceptance) bool { return a.Gate == b.Gate }), a)
		r.given++
	})
	r.start(ctx)
	if err := workflow.Await(ctx, func() bool { return len(r.in(Waiting, Running, Gated)) == 0 || len(r.in(Alarm)) > 0 }); err != nil {
		return err
	}
	if alarm := r.in(Alarm); len(alarm) > 0 {
		return failure(Alarm, "step "+alarm[0].ID+": "+alarm[0].Reason)
	}
	var missing []string
	for _, s := range r.in(Failed, Missing) {
		missing = append(missing, s.ID)
	}
	if len(missing) > 0 {
		return failure(Missing, fmt.Sprintf("%d of %d steps are missing: %s", len(missing), len(p.Steps), strings.Join(missing, ", ")))
	}
	return nil
}

func failure(kind Phase, text string) error {
	return temporal.NewNonRetryableApplicationError(text, string(kind), nil)
}

// in lists the steps that are in some phases, or all.
func (r *release) in(phases ...Phase) (list []State) {
	for _, s := range r.plan.Steps {
		if state := r.states[s.ID]; len(phases) == 0 || slices.Contains(phases, state.Phase) {
			list = append(list, state)
		}
	}
	return list
}

// start starts the workflows of the regions, and all steps.
func (r *release) start(ctx workflow.Context) {
	self := workflow.GetInfo(ctx)
	for _, s := range r.plan.Steps {
		if s.Region != "" && r.regions[s.Region] == nil {
			of := workflow.WithChildOptions(ctx, workflow.ChildWorkflowOptions{ // that of an earlier run may still be ending
				WorkflowID:        self.WorkflowExecution.ID + "/" + s.Region + "/" + self.OriginalRunID[:min(8, len(self.OriginalRunID))],
				ParentClosePolicy: enums.PARENT_CLOSE_POLICY_REQUEST_CANCEL,
			})
			r.regions[s.Region] = workflow.ExecuteChildWorkflow(of, Region)
		}
		workflow.Go(ctx, func(ctx workflow.Context) { r.run(ctx, s) })
	}
}

// run runs a step as soon as what it needs is done, and again whenever a gate that held it back is accepted. It returns without
// a final state where the workflow is cancelled.
func (r *release) run(ctx workflow.Context, step plan.Step) {
	open := func(id string) bool { return slices.Contains([]Phase{Waiting, Running, Gated}, r.states[id].Phase) }
	if workflow.Await(ctx, func() bool { return !slices.ContainsFunc(step.Needs, open) }) != nil {
		return
	}
	lacking := slices.DeleteFunc(slices.Clone(step.Needs), func(id string) bool { return r.states[id].Phase == Done })
	if len(lacking) > 0 {
		r.states[step.ID] = State{ID: step.ID, Phase: Missing, Reason: "needs " + strings.Join(lacking, ", ")}
		return
	}
	order := Order{Command: r.plan.Command, Step: step}
	for given := 0; ; {
		if r.attempt(ctx, order); ctx.Err() != nil || r.states[step.ID].Phase != Gated {
			return
		}
		if workflow.Await(ctx, func() bool { return given < r.given }) != nil {
			return
		}
		given, order.Accept = r.given, slices.Clone(r.accepted)
	}
}

// attempt runs a step, by the workflow of its region if it has one, and keeps its state.
func (r *release) attempt(ctx workflow.Context, o Order) {
	id, region := o.Step.ID, r.regions[o.Step.Region]
	r.states[id] = State{ID: id, Phase: Running}
	if region == nil {
		r.states[id] = attempt(ctx, o)
		return
	}
	err := region.SignalChildWorkflow(ctx, signalRun, o).Get(ctx, nil)
	if err == nil {
		err = workflow.Await(ctx, func() bool { return r.states[id].Phase != Running || region.IsReady() })
	}
	if r.states[id].Phase == Running {
		r.states[id] = State{ID: id, Phase: Failed, Reason: fmt.Sprintf("the workflow of the region has ended (%v)", err)}
	}
}

// Region runs the steps that the workflow of the release orders, at once, and answers with the state of each, until it is
// cancelled, as it is when the release has ended.
func Region(ctx workflow.Context) error {
	release := workflow.GetInfo(ctx).ParentWorkflowExecution
	listen(ctx, signalRun, func(ctx workflow.Context, o Order) {
		workflow.Go(ctx, func(ctx workflow.Context) {
			_ = workflow.SignalExternalWorkflow(ctx, release.ID, release.RunID, signalStep, attempt(ctx, o)).Get(ctx, nil) // has it ended?
		})
	})
	_ = workflow.Await(ctx, func() bool { return false })
	return nil
}

// attempt runs a step and returns its state after the last attempt.
func attempt(ctx workflow.Context, o Order) State {
	var report Report
	err := workflow.ExecuteActivity(workflow.WithActivityOptions(ctx, options(o)), ActivityAttempt, o).Get(ctx, &report)
	if err == nil {
		return State{ID: o.Step.ID, Phase: Done, Report: report}
	}
	state := State{ID: o.Step.ID, Phase: Failed, Reason: err.Error()}
	var exit *temporal.ApplicationError
	if errors.As(err, &exit) {
		state.Reason = exit.Message()
		if kind := Phase(exit.Type()); kind == Gated || kind == Alarm {
			state.Phase = kind
		}
		_ = exit.Details(&state.Report) // absent where the attempt could not begin
	}
	return state
}

func options(o Order) workflow.ActivityOptions {
	return workflow.ActivityOptions{
		ActivityID: o.Step.ID, TaskQueue: QueueOf(o.Step.Class, o.Command.Program), HeartbeatTimeout: o.Command.LostAfter,
		StartToCloseTimeout: max(shortest, time.Duration(4*o.Step.Minutes*float64(time.Minute))),
		RetryPolicy: &temporal.RetryPolicy{
			InitialInterval: 2 * time.Second, BackoffCoefficient: 2, MaximumInterval: 2 * time.Minute, MaximumAttempts: o.Command.Tries,
		},
	}
}

// listen passes on what comes by a signal.
func listen[T any](ctx workflow.Context, signal string, do func(workflow.Context, T)) {
	workflow.Go(ctx, func(ctx workflow.Context) {
		for from := workflow.GetSignalChannel(ctx, signal); ; {
			var given T
			from.Receive(ctx, &given)
			do(ctx, given)
		}
	})
}
