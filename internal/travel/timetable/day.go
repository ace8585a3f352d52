package timetable

// Day is what runs on a date, from midnight to Horizon, with trips of the days before that still run and of the day after
// that already do. Times are seconds after the midnight of the date; before it they are negative.
type Day struct {
	Table *Timetable
	Dates []Date // by feed

	Lanes      []Lane
	LaneTrips  []LaneTrip // of all lanes
	Arrivals   []int32    // by lane, trip and call
	Departures []int32    // by lane, call and trip: those of a call lie together
	CallStops  []uint32   // of all lanes
	CallFlags  []CallFlags

	BoardFirst []uint32   // the calls where one boards at stop s are Boards[BoardFirst[s]:BoardFirst[s+1]]
	Boards     []Boarding // not the last calls of lanes
}

// Horizon is the first second after midnight that a Day does not cover: nothing that leaves its first call later is in it.
const Horizon = 30 * 60 * 60

// Lane is trips of one pattern none of which overtakes another one: each is at every call no earlier than the one before.
type Lane struct {
	Pattern uint32
	Call    uint32 // its first in CallStops and CallFlags
	Calls   uint32
	Trip    uint32 // its first in LaneTrips
	Trips   uint32
	Times   uint32 // its first in Arrivals and Departures

	// Headway is 0 where trips have times. Else the lane has one trip, whose times are relative to the departure from the
	// first call, and which leaves there from First on, before End, every Headway seconds.
	Headway    int32
	First, End int32
}

// LaneTrip is a trip on a date.
type LaneTrip struct {
	Trip uint32
	Date Date // of its service
}

// Boarding is a call of a lane where one may get on.
type Boarding struct {
	Lane uint32
	Call uint32 // in CallStops
}
