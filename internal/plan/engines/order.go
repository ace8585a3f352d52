package engines

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"

	"quartier/internal/plan"
)

// task is a step as engines see it.
type task struct {
	plan.Step
	Number int     // in the order of the document, from 0
	Name   string  // of the ID in the letters of the engine; no other task has it
	Depth  int     // 0: it needs nothing, else one more than the deepest that it needs
	After  []*task // what it needs
}

// allowed are the letters that names of tasks may not have.
var allowed = map[string]*regexp.Regexp{
	"airflow":    regexp.MustCompile(`[^A-Za-z0-9_.-]+`),
	"argo":       regexp.MustCompile(`[^A-Za-z0-9-]+`),
	"kubernetes": regexp.MustCompile(`[^A-Za-z0-9-]+`),
	"slurm":      regexp.MustCompile(`[^A-Za-z0-9_.-]+`),
}

const (
	longestName = 100     // of a task, before a number that keeps it apart from others; Argo takes 128
	mebibyte    = 1 << 20 // the unit of memory of all engines here
	leastMiB    = 256     // Slurm takes 0 for all memory of a machine
	alarm       = 8       // exit code: another attempt ended with another digest
	patience    = 4       // times the estimated minutes
	leastMinute = 10      // of the time for an attempt
)

// order returns the tasks of steps, each after those that it needs: by depth, else as they are.
func order(steps []plan.Step, other *regexp.Regexp) ([]*task, error) {
	byID := map[string]*task{}
	tasks := make([]*task, len(steps))
	for i, s := range steps {
		if byID[s.ID] != nil {
			return nil, fmt.Errorf("step %q is there twice", s.ID)
		}
		tasks[i] = &task{Step: s, Depth: -1}
		byID[s.ID] = tasks[i]
	}
	for _, t := range tasks {
		for _, id := range t.Needs {
			if byID[id] == nil {
				return nil, fmt.Errorf("step %q needs %q, which is not there", t.ID, id)
			}
			t.After = append(t.After, byID[id])
		}
	}
	for _, t := range tasks {
		if err := t.sink(len(tasks)); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(tasks, func(a, b *task) int { return cmp.Compare(a.Depth, b.Depth) })
	taken := map[string]bool{}
	for i, t := range tasks {
		t.Number, t.Name = i, free(other.ReplaceAllString(t.ID, "-"), taken)
	}
	return tasks, nil
}

// sink finds the depth of a task; a way down that has more steps than there are leads in a circle.
func (t *task) sink(left int) error {
	if left < 0 {
		return fmt.Errorf("step %q needs itself", t.ID)
	}
	if t.Depth >= 0 {
		return nil
	}
	depth := 0
	for _, need := range t.After {
		if err := need.sink(left - 1); err != nil {
			return err
		}
		depth = max(depth, need.Depth+1)
	}
	t.Depth = depth
	return nil
}

// free returns a name that is not taken, and takes it. It begins with a letter, as names of tasks must in Argo.
func free(name string, taken map[string]bool) string {
	if c := name[0]; c < 'A' || c > 'Z' && c < 'a' || c > 'z' {
		name = "step-" + name
	}
	name = name[:min(len(name), longestName)]
	for n, plain := 2, name; taken[name]; n++ {
		name = plain + "-" + strconv.Itoa(n)
	}
	taken[name] = true
	return name
}

// MiB is the memory to ask for.
func (t *task) MiB() int64 { return max(leastMiB, mebibytes(t.Memory)) }

// DiskMiB is the disk to ask for.
func (t *task) DiskMiB() int64 { return mebibytes(t.Disk) }

func mebibytes(bytes int64) int64 { return (max(bytes, 0) + mebibyte - 1) / mebibyte }

// Limit is the time for an attempt in minutes.
func (t *task) Limit() int { return max(leastMinute, int(math.Ceil(t.Minutes*patience))) }

// Seconds is the time for an attempt.
func (t *task) Seconds() int { return t.Limit() * 60 }

// Last are the exit codes after which the step is not tried again.
func (t *task) Last() []int {
	codes := append([]int{alarm}, t.NoRetry...)
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Kind is the class of its machine.
func (t *task) Kind() string {
	if t.Class == plan.ClassLarge {
		return plan.ClassLarge
	}
	return plan.ClassSmall
}

// job is tasks that run at once on machines alike, the pods of a Job of Kubernetes.
type job struct {
	Name  string
	Wave  int
	Kind  string
	Last  []int
	Tasks []*task
}

// Jobs are the tasks by depth, class and exit codes.
func (d document) Jobs() (jobs []*job) {
	taken := map[string]bool{}
	for _, t := range d.Tasks {
		i := slices.IndexFunc(jobs, func(j *job) bool {
			return j.Wave == t.Depth && j.Kind == t.Kind() && slices.Equal(j.Last, t.Last())
		})
		if i < 0 {
			name := free(fmt.Sprintf("%s-%d-%s", d.Name, t.Depth, t.Kind()), taken)
			i, jobs = len(jobs), append(jobs, &job{Name: name, Wave: t.Depth, Kind: t.Kind(), Last: t.Last()})
		}
		jobs[i].Tasks = append(jobs[i].Tasks, t)
	}
	return jobs
}

// Deepest is the last wave.
func (d document) Deepest() int { return d.Tasks[len(d.Tasks)-1].Depth }

// MiB, DiskMiB and Seconds are those of the task with most.
func (j *job) MiB() int64     { return most(j.Tasks, (*task).MiB) }
func (j *job) DiskMiB() int64 { return most(j.Tasks, (*task).DiskMiB) }
func (j *job) Seconds() int   { return most(j.Tasks, (*task).Seconds) }

func most[N cmp.Ordered](tasks []*task, of func(*task) N) N {
	n := of(tasks[0])
	for _, t := range tasks[1:] {
		n = max(n, of(t))
	}
	return n
}
