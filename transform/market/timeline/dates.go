package timeline

import (
	"time"

	"quartier/schemas/market"
	"quartier/schemas/staged"
)

// dates are the days of a listing; Never where there is none.
type dates struct {
	on, contingent, pending market.Day
	off                     market.Day // OffMarketDate
	withdrawn, canceled     market.Day // canceled includes the expiration of what has expired
	expires, close          market.Day
	closed                  bool
}

// datesOf takes the days as published, and the instants where there are none. A status without the day on which it began
// began when the record was changed last.
func datesOf(l *staged.Listing, zone *time.Location) dates {
	status := market.Status(l.Status)
	d := dates{
		on:         first(day(l.OnDay), instant(l.OnAt, zone), day(l.ListedDay)),
		contingent: day(l.ContingentDay),
		pending:    first(day(l.ContractDay), instant(l.PendingAt, zone)),
		off:        first(day(l.OffDay), instant(l.OffAt, zone)),
		withdrawn:  day(l.WithdrawnDay),
		canceled:   day(l.CanceledDay),
		expires:    day(l.ExpiredDay),
		close:      day(l.CloseDay),
		closed:     status == market.StatusClosed || l.Public,
	}
	if d.closed {
		d.expires = Never
	}
	if status == market.StatusExpired {
		d.canceled = min(d.canceled, d.expires)
	}
	if d.end() != Never || d.on == Never {
		return d
	}
	since := max(first(instant(l.Modified, zone), d.on), d.on)
	switch status {
	case market.StatusUnderContract:
		d.contingent = first(d.contingent, since)
	case market.StatusPending:
		d.pending = since
	case market.StatusClosed, market.StatusHold, market.StatusWithdrawn, market.StatusCanceled, market.StatusExpired:
		d.off = since
	}
	return d
}

// end is the day on which the listing went off.
func (d dates) end() market.Day {
	end := min(d.pending, d.off, d.withdrawn, d.canceled, d.close)
	return min(end, d.expires)
}

// ended is when a contract ended.
func (d dates) ended() market.Day {
	if d.pending == Never {
		return Never
	}
	return max(min(d.close, d.withdrawn, d.canceled), d.pending)
}

// spell is the one time on the market that the dates describe.
func (d dates) spell() Spell {
	return Spell{From: d.on, Contingent: d.contingent, Off: d.end(), Pending: d.pending, Ended: d.ended()}
}

// unsold is when the listing went off without a sale; NoDay if it did not.
func (d dates) unsold() market.Day {
	switch {
	case d.closed || d.close != Never:
		return market.NoDay
	case d.pending == Never && d.end() != Never:
		return d.end()
	case d.pending != Never && d.ended() != Never:
		return d.ended()
	}
	return market.NoDay
}

func day(d *int32) market.Day {
	if d == nil {
		return Never
	}
	return market.Day(*d)
}

func instant(micros *int64, zone *time.Location) market.Day {
	if micros == nil {
		return Never
	}
	return DayAt(*micros, zone)
}

// first is the first day that is known.
func first(days ...market.Day) market.Day {
	for _, d := range days {
		if d != Never {
			return d
		}
	}
	return Never
}
