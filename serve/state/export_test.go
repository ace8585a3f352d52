package state

import "time"

// MigrateTo brings the state at dsn to an earlier version.
func MigrateTo(dsn string, version int) error {
	s, err := connect(dsn)
	if err != nil {
		return err
	}
	defer s.Close()
	return s.migrate(version)
}

// SetClock replaces the clock.
func (s *Store) SetClock(now func() time.Time) { s.now = now }

// MigrationNames lists the files of migrations.
var MigrationNames = migrationNames
