package flow

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"quartier/internal/plan"
	"quartier/schemas"

	"github.com/stretchr/testify/mock"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// world is the plan of two regions that lend each other rows, and of a step that always fails where a test says so.
func world(t *testing.T) Plan {
	t.Helper()
	steps, err := plan.Read(strings.NewReader(`
{"id":"ingest.a","stage":"ingest","region":"a","needs":[],"minutes":30,"class":"small","no_retry":[2,3,4,6]}
{"id":"ingest.b","stage":"ingest","region":"b","needs":[],"minutes":1,"class":"small","no_retry":[2,3,4,6]}
{"id":"lend.a","stage":"lend","region":"a","needs":["ingest.a","ingest.b"],"minutes":1,"class":"small","no_retry":[2,3,4,6]}
{"id":"lend.b","stage":"lend","region":"b","needs":["ingest.a","ingest.b"],"minutes":1,"class":"small","no_retry":[2,3,4,6]}
{"id":"transform.a","stage":"transform","region":"a","needs":["lend.a"],"minutes":1,"class":"large","no_retry":[2,3,4,6]}
{"id":"transform.b","stage":"transform","region":"b","needs":["lend.b"],"minutes":1,"class":"large","no_retry":[2,3,4,6]}
{"id":"write","stage":"write","needs":["transform.a","transform.b"],"minutes":1,"class":"large","no_retry":[2,3,4,6]}
{"id":"publish","stage":"publish","needs":["write"],"minutes":1,"class":"small","no_retry":[2,3,4,6]}
`))
	if err != nil {
		t.Fatal(err)
	}
	return Plan{Command{Release: "r.yaml", Work: "/work", Program: "0a1b", Tries: 3, LostAfter: 30 * time.Second}, steps}
}

// attempts is an activity that notes what it was asked for, in order.
type attempts struct {
	mu     sync.Mutex
	begun  []string
	ended  []string
	orders []Order
	infos  []activity.Info
	do     func(Order, activity.Info) error // nil: done
}

func (a *attempts) run(ctx context.Context, order Order) (Report, error) {
	info := activity.GetInfo(ctx)
	a.mu.Lock()
	a.begun, a.orders, a.infos = append(a.begun, order.Step.ID), append(a.orders, order), append(a.infos, info)
	a.mu.Unlock()
	if a.do != nil {
		if err := a.do(order, info); err != nil {
			return Report{}, err
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = append(a.ended, order.Step.ID)
	return Report{Attempt: info.Attempt, Seconds: 1.5, Rows: 10, Worker: "w1"}, nil
}

func environment(t *testing.T, do func(Order, activity.Info) error) (*testsuite.TestWorkflowEnvironment, *attempts) {
	t.Helper()
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestWorkflowEnvironment()
	a := &attempts{do: do}
	env.RegisterActivityWithOptions(a.run, activity.RegisterOptions{Name: ActivityAttempt})
	env.RegisterWorkflow(Release)
	env.RegisterWorkflow(Region)
	return env, a
}

// exits is the error of an exit code as package attempt makes it.
func exits(code int, kind Phase, again bool) error {
	return temporal.NewApplicationErrorWithOptions(fmt.Sprintf("exit status %d: digests 0a1b and 2c3d differ", code), string(kind),
		temporal.ApplicationErrorOptions{NonRetryable: !again, Details: []any{Report{Attempt: 1, Worker: "w1"}}})
}

func progressOf(t *testing.T, env *testsuite.TestWorkflowEnvironment) (phases map[string]string, all Progress) {
	t.Helper()
	value, err := env.QueryWorkflow(QueryProgress)
	if err != nil {
		t.Fatal(err)
	}
	if err := value.Get(&all); err != nil {
		t.Fatal(err)
	}
	phases = map[string]string{}
	for _, s := range all.Steps {
		phases[s.ID] = string(s.Phase)
	}
	return phases, all
}

func TestStepsRunAfterThoseThatTheyNeed(t *testing.T) {
	env, a := environment(t, nil)
	p := world(t)
	env.ExecuteWorkflow(Release, p)
	if err := env.GetWorkflowError(); err != nil {
		t.Fatal(err)
	}
	if len(a.begun) != len(p.Steps) {
		t.Fatalf("begun: %v", a.begun)
	}
	for _, task := range p.Steps {
		for _, id := range task.Needs {
			if slices.Index(a.begun, task.ID) < slices.Index(a.begun, id) {
				t.Errorf("%s began before %s: %v", task.ID, id, a.begun)
			}
		}
	}
	for i, order := range a.orders {
		class := "small"
		if strings.HasPrefix(order.Step.ID, "transform") || order.Step.ID == "write" {
			class = "large"
		}
		if info := a.infos[i]; info.TaskQueue != class+"-0a1b" || info.ActivityID != order.Step.ID {
			t.Errorf("%s in queue %s as %s", order.Step.ID, info.TaskQueue, info.ActivityID)
		}
	}
	_, all := progressOf(t, env)
	for _, s := range all.Steps {
		if s.Phase != Done || s.Report != (Report{Attempt: 1, Worker: "w1", Rows: 10, Seconds: 1.5}) {
			t.Errorf("state: %+v", s)
		}
	}
	if all.Plan != p.Digest() {
		t.Errorf("digest %s, not %s", all.Plan, p.Digest())
	}
}

func TestTimesFollowFromThePlan(t *testing.T) {
	p := world(t)
	long, short := options(Order{Command: p.Command, Step: p.Steps[0]}), options(Order{Command: p.Command, Step: p.Steps[1]})
	if long.StartToCloseTimeout != 2*time.Hour || short.StartToCloseTimeout != 10*time.Minute || long.HeartbeatTimeout != 30*time.Second {
		t.Errorf("%s and %s, lost after %s", long.StartToCloseTimeout, short.StartToCloseTimeout, long.HeartbeatTimeout)
	}
}

func TestAFailedStepStopsThoseThatNeedItAlone(t *testing.T) {
	for name, fault := range map[string]struct {
		err   error
		tries int
	}{
		"once more": {exits(1, Failed, true), 3},
		"never":     {exits(4, Failed, false), 1},
	} {
		t.Run(name, func(t *testing.T) {
			env, a := environment(t, func(o Order, _ activity.Info) error {
				if o.Step.ID == "transform.a" {
					return fault.err
				}
				return nil
			})
			env.ExecuteWorkflow(Release, world(t))
			err := env.GetWorkflowError()
			if err == nil || !strings.Contains(err.Error(), "3 of 8 steps are missing: transform.a, write, publish") {
				t.Errorf("error: %v", err)
			}
			tries := 0
			for _, id := range a.begun {
				if id == "transform.a" {
					tries++
				}
			}
			if tries != fault.tries || !slices.Contains(a.ended, "transform.b") || slices.Contains(a.begun, "write") {
				t.Errorf("%d tries; ended: %v", tries, a.ended)
			}
			phases, all := progressOf(t, env)
			if phases["transform.a"] != "failed" || phases["publish"] != "missing" || phases["transform.b"] != "done" {
				t.Errorf("phases: %v", phases)
			}
			if reason := all.Steps[6].Reason; reason != "needs transform.a" {
				t.Errorf("reason of %s: %q", all.Steps[6].ID, reason)
			}
		})
	}
}

func TestAStepThatFailedOnceIsDone(t *testing.T) {
	env, a := environment(t, func(o Order, info activity.Info) error {
		if o.Step.ID == "lend.b" && info.Attempt < 3 {
			return exits(1, Failed, true)
		}
		return nil
	})
	env.ExecuteWorkflow(Release, world(t))
	if err := env.GetWorkflowError(); err != nil || len(a.begun) != 10 {
		t.Errorf("error %v, begun %v", err, a.begun)
	}
	_, all := progressOf(t, env)
	if s := all.Steps[3]; s.ID != "lend.b" || s.Report.Attempt != 3 {
		t.Errorf("state: %+v", s)
	}
}

// TestTwoDigestsEndEverything: the reason, which names both, is the error of the workflow.
func TestTwoDigestsEndEverything(t *testing.T) {
	env, a := environment(t, func(o Order, _ activity.Info) error {
		if o.Step.ID == "ingest.b" {
			return exits(8, Alarm, false)
		}
		return nil
	})
	env.ExecuteWorkflow(Release, world(t))
	err := env.GetWorkflowError()
	if err == nil || !strings.Contains(err.Error(), "step ingest.b: exit status 8: digests 0a1b and 2c3d differ") {
		t.Errorf("error: %v", err)
	}
	if slices.Contains(a.begun, "write") {
		t.Errorf("begun: %v", a.begun)
	}
}

func TestAGateWaitsForItsAcceptance(t *testing.T) {
	for _, gated := range []string{"write", "transform.a"} { // of the release, of a region
		t.Run(gated, func(t *testing.T) {
			env, a := environment(t, func(o Order, _ activity.Info) error {
				if o.Step.ID == gated && len(o.Accept) == 0 {
					return exits(6, Gated, false)
				}
				return nil
			})
			env.RegisterDelayedCallback(func() {
				phases, _ := progressOf(t, env)
				if phases[gated] != "gate" || phases["transform.b"] != "done" || phases["publish"] != "waiting" {
					t.Errorf("phases: %v", phases)
				}
				env.SignalWorkflow(SignalAccept, schemas.Acceptance{Gate: "pois", Reason: "a publisher left"})
			}, time.Hour)
			env.ExecuteWorkflow(Release, world(t))
			if err := env.GetWorkflowError(); err != nil {
				t.Fatal(err)
			}
			again := a.orders[len(a.orders)-1-len(after(gated))]
			if again.Step.ID != gated || !slices.Equal(again.Accept, []schemas.Acceptance{{Gate: "pois", Reason: "a publisher left"}}) {
				t.Errorf("the last order: %+v", again)
			}
			if len(a.begun) != 9 {
				t.Errorf("begun: %v", a.begun)
			}
		})
	}
}

func after(id string) []string {
	if id == "write" {
		return []string{"publish"}
	}
	return []string{"write", "publish"}
}

// TestAnAcceptanceComesBeforeItsGate: the step is tried without it, so that its report names the gate.
func TestAnAcceptanceComesBeforeItsGate(t *testing.T) {
	env, a := environment(t, func(o Order, _ activity.Info) error {
		if o.Step.ID == "write" && len(o.Accept) == 0 {
			return exits(6, Gated, false)
		}
		return nil
	})
	env.RegisterDelayedCallback(func() {
		env.SignalWorkflow(SignalAccept, schemas.Acceptance{Gate: "pois", Reason: "first"})
		env.SignalWorkflow(SignalAccept, schemas.Acceptance{Gate: "pois", Reason: "second"})
	}, 0)
	env.ExecuteWorkflow(Release, world(t))
	if err := env.GetWorkflowError(); err != nil {
		t.Fatal(err)
	}
	if o := a.orders[len(a.orders)-2]; !slices.Equal(o.Accept, []schemas.Acceptance{{Gate: "pois", Reason: "second"}}) {
		t.Errorf("order: %+v", o)
	}
}

func TestProgressWhileStepsRun(t *testing.T) {
	env, _ := environment(t, nil)
	env.OnActivity(ActivityAttempt, mock.Anything, mock.Anything).After(time.Minute).Return(Report{Attempt: 2, Seconds: 60}, nil)
	env.RegisterDelayedCallback(func() {
		phases, _ := progressOf(t, env)
		if phases["ingest.a"] != "running" || phases["lend.a"] != "waiting" {
			t.Errorf("phases: %v", phases)
		}
	}, 30*time.Second)
	env.ExecuteWorkflow(Release, world(t))
	if err := env.GetWorkflowError(); err != nil {
		t.Fatal(err)
	}
}

func TestARegionWhoseWorkflowEndsIsMissing(t *testing.T) {
	env, _ := environment(t, nil)
	env.OnWorkflow(Region, mock.Anything).Return(func(workflow.Context) error {
		return temporal.NewNonRetryableApplicationError("terminated", "", nil)
	})
	env.ExecuteWorkflow(Release, world(t))
	if err := env.GetWorkflowError(); err == nil || !strings.Contains(err.Error(), "8 of 8 steps are missing") {
		t.Errorf("error: %v", err)
	}
}

func TestCancellationEndsTheWorkflow(t *testing.T) {
	env, a := environment(t, nil)
	env.OnActivity(ActivityAttempt, mock.Anything, mock.Anything).After(time.Hour).Return(Report{}, nil)
	env.RegisterDelayedCallback(env.CancelWorkflow, time.Minute)
	env.ExecuteWorkflow(Release, world(t))
	if err := env.GetWorkflowError(); !temporal.IsCanceledError(err) || len(a.ended) > 0 {
		t.Errorf("error: %v, ended %v", err, a.ended)
	}
}

func TestPlansThatNobodyCanRun(t *testing.T) {
	for name, c := range map[string]struct {
		steps []plan.Step
		says  string
	}{
		"twice":   {[]plan.Step{{ID: "a", Class: "small"}, {ID: "a", Class: "small"}}, "twice"},
		"unknown": {[]plan.Step{{ID: "a", Class: "small", Needs: []string{"b"}}}, `needs ["b"]`},
		"circle": {[]plan.Step{{ID: "c", Class: "small"}, {ID: "a", Class: "small", Needs: []string{"b"}}, {ID: "b", Class: "small",
			Needs: []string{"a"}}}, `step "a" is twice`},
	} {
		t.Run(name, func(t *testing.T) {
			if err := (Plan{Steps: c.steps}).Check(); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error: %v", err)
			}
			env, _ := environment(t, nil)
			env.ExecuteWorkflow(Release, Plan{Steps: c.steps})
			if err := env.GetWorkflowError(); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error of the workflow: %v", err)
			}
		})
	}
}

func TestDigestIsOfWhatIsToBeDone(t *testing.T) {
	p := world(t)
	other := world(t)
	other.Steps[0].Minutes, other.Command.Tries = 99, 9
	if p.Digest() != other.Digest() {
		t.Error("estimates are in the digest")
	}
	other.Command.Work = "elsewhere"
	if p.Digest() == other.Digest() {
		t.Error("the work place is not in the digest")
	}
}

// TestHistoriesAreReplayed replays what a server recorded (bench/temporal -history): where it fails, workflows that run would be
// stuck with this program, and the number of Queue is to be raised before the histories are recorded anew.
func TestHistoriesAreReplayed(t *testing.T) {
	for _, name := range []string{"release", "region"} {
		replayer := worker.NewWorkflowReplayer()
		replayer.RegisterWorkflow(Release)
		replayer.RegisterWorkflow(Region)
		text, err := os.ReadFile("testdata/" + name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		history, err := client.HistoryFromJSON(bytes.NewReader(text), client.HistoryJSONOptions{})
		if err != nil {
			t.Fatal(err)
		}
		options := worker.ReplayWorkflowHistoryOptions{OriginalExecution: workflow.Execution{ID: "drill"}}
		if err := replayer.ReplayWorkflowHistoryWithOptions(nil, history, options); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
