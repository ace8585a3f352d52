package state

import (
	"context"
	"time"
)

// UpdateReport is what operators see of general updates.
type UpdateReport struct {
	Update   *Update          // that runs, or the last one; nil: there was none
	Changes  map[string]int64 // requests that it changes, by action
	States   map[Status]int64 // of all requests
	Excluded []Exclusion      // by id
	Problems []Problem        // of requests that could not be built, and were neither built nor edited since
}

// Problem is why a request could not be built.
type Problem struct {
	Update   int64  `json:"update"`
	ID       string `json:"geo_entity_id"`
	Customer string `json:"customer"`
	Version  int64  `json:"version"`
	NameEN   string `json:"name_en"`
	Action   string `json:"action"` // as in a requests file
	Problem  string `json:"problem"`
}

// ReportUpdate reports on the general update that runs, or the last one.
func (s *Store) ReportUpdate(ctx context.Context) (report UpdateReport, err error) {
	if report.Update, err = lastUpdate(ctx, s.read); err != nil {
		return report, failure(err)
	}
	if report.Update != nil {
		report.Changes, err = counts[string](ctx, s, `SELECT action, count(*) FROM general_update_request WHERE number = $1 GROUP BY action`,
			report.Update.Number)
		if err != nil {
			return report, failure(err)
		}
	}
	if report.States, err = counts[Status](ctx, s, `SELECT status, count(*) FROM geography_request GROUP BY status`); err != nil {
		return report, failure(err)
	}
	if report.Excluded, err = s.exclusions(ctx); err != nil {
		return report, failure(err)
	}
	report.Problems, err = s.problems(ctx)
	return report, failure(err)
}

func counts[K ~string](ctx context.Context, s *Store, query string, args ...any) (map[K]int64, error) {
	rows, err := s.read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[K]int64{}
	for rows.Next() {
		var key K
		var n int64
		if err := rows.Scan(&key, &n); err != nil {
			return nil, err
		}
		out[key] = n
	}
	return out, rows.Err()
}

// problems are those of the last completed update, of requests that are still in the version that it could not build.
func (s *Store) problems(ctx context.Context) (all []Problem, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT u.number, r.id, r.customer, u.version, r.name_en, u.action, u.problem
		FROM general_update_request u JOIN geography_request r ON r.id = u.request_id
		WHERE u.number = (SELECT max(number) FROM general_update WHERE status = '`+Complete+`') AND u.problem IS NOT NULL
			AND (u.version = r.version OR u.action = 'keep') ORDER BY r.id`)
	return collect(rows, err, func(p *Problem) error {
		return rows.Scan(&p.Update, &p.ID, &p.Customer, &p.Version, &p.NameEN, &p.Action, &p.Problem)
	})
}

// Publication is what a general update published of a request.
type Publication struct {
	N        int64     `json:"n"` // grows
	Update   int64     `json:"update"`
	ID       string    `json:"geo_entity_id"`
	Customer string    `json:"customer"`
	Version  int64     `json:"version"` // of the request that was built
	Action   string    `json:"action"`  // publish, deprecate, or keep where it has another id than before
	GeogID   string    `json:"geog_id"`
	At       time.Time `json:"at"`
}

// Publications are those after number n, in their order, at most limit.
func (s *Store) Publications(ctx context.Context, n int64, limit int) (all []Publication, err error) {
	rows, err := s.read.QueryContext(ctx, `SELECT n, number, request_id, customer, version, action, geog_id, at
		FROM publication_event WHERE n > $1 ORDER BY n LIMIT $2`, n, limit)
	all, err = collect(rows, err, func(p *Publication) error {
		return rows.Scan(&p.N, &p.Update, &p.ID, &p.Customer, &p.Version, &p.Action, &p.GeogID, (*moment)(&p.At))
	})
	return all, failure(err)
}
