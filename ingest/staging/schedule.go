package staging

import "quartier/ingest/source"

// stageSchedule stages a part of a whole timetable, or reports that the row is of another table. Parts are not counted: what
// they are made of is counted as stops, lines and departures.
func (s *sink) stageSchedule(row source.Row) (staged bool, err error) {
	if err := s.checkContext(); err != nil {
		return true, err
	}
	switch v := row.(type) {
	case source.Schedule:
		v.SourceID = s.source
		err = add(s, "schedule", v)
	case source.ScheduleStop:
		v.SourceID = s.source
		err = add(s, "schedule_stop", v)
	case source.ScheduleRoute:
		v.SourceID = s.source
		err = add(s, "schedule_route", v)
	case source.ScheduleService:
		v.SourceID = s.source
		err = add(s, "schedule_service", v)
	case source.SchedulePattern:
		v.SourceID = s.source
		err = add(s, "schedule_pattern", v)
	case source.ScheduleTrip:
		v.SourceID = s.source
		err = add(s, "schedule_trip", v)
	case source.ScheduleHeadway:
		v.SourceID = s.source
		err = add(s, "schedule_headway", v)
	case source.ScheduleTransfer:
		v.SourceID = s.source
		err = add(s, "schedule_transfer", v)
	default:
		return false, nil
	}
	return true, err
}
