package state

import (
	"fmt"
	"strings"
)

// Status is the state of a request for a custom geography.
type Status string

// The states of a request.
const (
	PublicationPending    Status = "PUBLICATION_PENDING"
	PublicationProcessing Status = "PUBLICATION_PROCESSING"
	Published             Status = "PUBLISHED"
	DeprecationPending    Status = "DEPRECATION_PENDING"
	DeprecationProcessing Status = "DEPRECATION_PROCESSING"
	Deprecated            Status = "DEPRECATED"
)

// Event is what changes the state of a request.
type Event string

// The events. The first three are calls of the API, the others steps of the general update; BuildFails is its completion for a
// request that could not be built.
const (
	Created         Event = "POST"
	Edited          Event = "PATCH"
	Removed         Event = "DELETE"
	UpdateStarts    Event = "update starts"
	UpdateCompletes Event = "update completes"
	UpdateAborts    Event = "update aborts"
	BuildFails      Event = "cannot be built"
)

// Statuses are the states in the order of a request's life. Of the published ones the request shows geog_id and published_at.
var Statuses = []struct {
	Status    Status
	Published bool
	Doc       string
}{
	{PublicationPending, false, "Waits for the next general update."},
	{PublicationProcessing, false, "Is part of the general update that runs."},
	{Published, true, "Is available by its geog_id."},
	{DeprecationPending, true, "Waits for the next general update to be deprecated."},
	{DeprecationProcessing, true, "Is being deprecated by the general update that runs."},
	{Deprecated, true, "Answers by its geog_id, and is found no more."},
}

// Transition is a change of state.
type Transition struct {
	From Status
	On   Event
	To   Status
	New  bool // only of a request that was never published
}

// Transitions are the changes of state, "" being that of a request that is not there yet. An event that has none in a state is
// refused there. An edit during an update waits for the next one, and the version that the update started with is published;
// if the request was removed meanwhile, the next one deprecates it.
var Transitions = []Transition{
	{From: "", On: Created, To: PublicationPending},
	{From: PublicationPending, On: Edited, To: PublicationPending},
	{From: PublicationPending, On: Removed, To: Deprecated, New: true},
	{From: PublicationPending, On: UpdateStarts, To: PublicationProcessing},
	{From: PublicationProcessing, On: Edited, To: PublicationPending},
	{From: PublicationProcessing, On: Removed, To: Deprecated, New: true},
	{From: PublicationProcessing, On: UpdateAborts, To: PublicationPending},
	{From: PublicationProcessing, On: UpdateCompletes, To: Published},
	{From: PublicationProcessing, On: BuildFails, To: PublicationPending},
	{From: Published, On: Edited, To: PublicationPending},
	{From: Published, On: Removed, To: DeprecationPending},
	{From: DeprecationPending, On: UpdateStarts, To: DeprecationProcessing},
	{From: DeprecationProcessing, On: UpdateAborts, To: DeprecationPending},
	{From: DeprecationProcessing, On: UpdateCompletes, To: Deprecated},
	{From: DeprecationProcessing, On: BuildFails, To: DeprecationPending},
}

// next is the state of a request after an event; isNew says that it was never published. ErrConflict, with the states in which
// the event is possible, if it is refused.
func next(from Status, on Event, isNew bool) (Status, error) {
	var possible []string
	for _, t := range Transitions {
		if t.On != on {
			continue
		}
		if t.From == from && (isNew || !t.New) {
			return t.To, nil
		}
		if possible = append(possible, string(t.From)); t.New {
			possible[len(possible)-1] += " before the first publication"
		}
	}
	return "", fmt.Errorf("%w: processing_status is %s, %s is possible in %s", ErrConflict, from, on, strings.Join(possible, ", "))
}

// shows reports whether requests in a state show their geog_id.
func (s Status) shows() bool {
	for _, known := range Statuses {
		if known.Status == s {
			return known.Published
		}
	}
	return false
}
