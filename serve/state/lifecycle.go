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
}

// Transitions are the changes of state, "" being that of a request that is not there yet. An event that has none in a state is
// refused there. An edit during an update waits for the next one, and the version that the update started with is published.
var Transitions = []Transition{
	{"", Created, PublicationPending},
	{PublicationPending, Edited, PublicationPending},
	{PublicationPending, UpdateStarts, PublicationProcessing},
	{PublicationProcessing, Edited, PublicationPending},
	{PublicationProcessing, UpdateAborts, PublicationPending},
	{PublicationProcessing, UpdateCompletes, Published},
	{PublicationProcessing, BuildFails, PublicationPending},
	{Published, Edited, PublicationPending},
	{Published, Removed, DeprecationPending},
	{DeprecationPending, UpdateStarts, DeprecationProcessing},
	{DeprecationProcessing, UpdateAborts, DeprecationPending},
	{DeprecationProcessing, UpdateCompletes, Deprecated},
	{DeprecationProcessing, BuildFails, DeprecationPending},
}

// next is the state after an event; ErrConflict, with the states in which the event is possible, if it is refused.
func next(from Status, on Event) (Status, error) {
	var possible []string
	for _, t := range Transitions {
		if t.On != on {
			continue
		}
		if t.From == from {
			return t.To, nil
		}
		possible = append(possible, string(t.From))
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
