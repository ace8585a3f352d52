package gtfs

import (
	"context"
	"time"

	"quartier/ingest/source"
	"quartier/schemas/reason"
)

// day is a date: days since 1970-01-01.
type day int32

// First and last day of a timetable; days of a calendar beyond are ignored.
var (
	earliest = dayOf(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))
	latest   = dayOf(time.Date(2100, 12, 31, 0, 0, 0, 0, time.UTC))
)

func dayOf(t time.Time) day { return day(t.Unix() / 86_400) }

func (d day) String() string { return time.Unix(int64(d)*86_400, 0).UTC().Format(time.DateOnly) }

// weekday is 0 on Mondays.
func (d day) weekday() int { return int((d + 3) % 7) }

// parseDay parses a date of a feed, 20210503, and limits it to earliest and latest.
func parseDay(text []byte) (day, bool) {
	t, err := time.Parse("20060102", string(text))
	if err != nil {
		return 0, false
	}
	return min(max(day(t.Unix()/86_400), earliest), latest), true
}

var weekdayNames = []string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}

// calendar has the days on which each service runs.
type calendar struct {
	ids      map[string]int32
	services []service
}

// service runs on some weekdays of a period, with exceptions.
type service struct {
	id          string
	weekdays    [7]bool
	first, last day // first > last: only the exceptions
	exceptions  map[day]bool
}

func (s *service) runs(d day) bool {
	if runs, isException := s.exceptions[d]; isException {
		return runs
	}
	return d >= s.first && d <= s.last && s.weekdays[d.weekday()]
}

// span returns the first and the last day on which a service may run.
func (s *service) span() (first, last day) {
	first, last = latest, earliest
	for _, runs := range s.weekdays {
		if runs && s.first <= s.last {
			first, last = s.first, s.last
		}
	}
	for d, runs := range s.exceptions {
		if runs {
			first, last = min(first, d), max(last, d)
		}
	}
	return first, last
}

// empty reports whether a service runs on no day.
func (s *service) empty() bool {
	first, last := s.span()
	for d := first; d <= last; d++ {
		if s.runs(d) {
			return false
		}
	}
	return true
}

func (c *calendar) service(id []byte) *service {
	i, known := c.ids[string(id)]
	if !known {
		i = int32(len(c.services))
		c.ids[string(id)] = i
		c.services = append(c.services, service{id: string(id), first: latest, last: earliest, exceptions: map[day]bool{}})
	}
	return &c.services[i]
}

// readCalendar reads calendar.txt and calendar_dates.txt; one of them is enough.
func (s *stage) readCalendar(ctx context.Context) error {
	c := &calendar{ids: map[string]int32{}}
	s.calendar = c
	weeks, err := s.feed.table(s.out, calendarFile)
	if err == nil && weeks != nil {
		err = c.readWeeks(ctx, weeks)
	}
	if err != nil {
		return err
	}
	dates, err := s.feed.table(s.out, datesFile)
	switch {
	case err != nil:
		return err
	case dates != nil:
		return c.readDates(ctx, dates)
	case weeks == nil:
		return s.feed.withoutCalendar()
	}
	return nil
}

func (c *calendar) readWeeks(ctx context.Context, t *tableReader) error {
	id, from, to := t.Column("service_id"), t.Column("start_date"), t.Column("end_date")
	var weekdays [7]int
	for i, name := range weekdayNames {
		weekdays[i] = t.Column(name)
	}
	return t.each(ctx, func() reason.Reason {
		first, ok1 := parseDay(t.At(from))
		last, ok2 := parseDay(t.At(to))
		switch _, known := c.ids[string(t.At(id))]; {
		case len(t.At(id)) == 0:
			return source.MissingKey.With("service_id")
		case known:
			return source.DuplicateKey.With("service_id")
		case !ok1 || !ok2:
			return invalidDate
		}
		s := c.service(t.At(id))
		s.first, s.last = first, last
		for i, column := range weekdays {
			s.weekdays[i] = string(t.At(column)) == "1"
		}
		return reason.Reason{}
	}, nil)
}

func (c *calendar) readDates(ctx context.Context, t *tableReader) error {
	id, date, kind := t.Column("service_id"), t.Column("date"), t.Column("exception_type")
	return t.each(ctx, func() reason.Reason {
		d, ok := parseDay(t.At(date))
		added := string(t.At(kind)) == "1"
		switch {
		case len(t.At(id)) == 0:
			return source.MissingKey.With("service_id")
		case !ok:
			return invalidDate
		case !added && string(t.At(kind)) != "2":
			return invalidException
		}
		c.service(t.At(id)).exceptions[d] = added
		return reason.Reason{}
	}, nil)
}
