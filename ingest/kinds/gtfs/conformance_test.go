package gtfs

import (
	"fmt"
	"testing"

	"quartier/ingest/source"
	"quartier/ingest/sourcetest"
	"quartier/internal/duck"
	"quartier/internal/testenv"
)

func TestConformance(t *testing.T) {
	const (
		timetable = "SELECT feed_name, first_day, last_day, week, trips FROM timetable"
		lines     = "SELECT count(*), min(mode), max(mode), min(name), count(spacing_m) FROM route"
		stops     = "SELECT count(*), count(parent_key), count(name_fr) FROM stop"
		services  = "SELECT count(*), sum(trips_week), max(trips_week) FROM stop_service"
	)
	sourcetest.Run(t, Kind,
		sourcetest.Case{
			Name: "two lines of Portland: dates alone, stations, no short names", Path: testenv.Data("us-portland/gtfs/trimet-2routes-2021.zip"),
			Read: 46_505,
			Rows: map[string]string{
				timetable: "TriMet|2021-10-17|2022-01-08|2021-12-06|1986",
				"SELECT source_key, agency, name, mode, round(spacing_m) FROM route ORDER BY " +
					"1": "gtfs:under-test:193|Portland Streetcar|Portland Streetcar - NS Line|tram|241\n" +
					"gtfs:under-test:200|TriMet|MAX Green Line|tram|876",
				stops: "103|30|0",
				"SELECT count(DISTINCT parent_key) FROM stop":                                       "15",
				"SELECT count(*) FROM stop WHERE parent_key NOT IN (SELECT source_key FROM stop)":   "0",
				"SELECT count(*) FROM stop_service WHERE stop_key IN (SELECT parent_key FROM stop)": "0",
				"SELECT route_key, direction, max(trips_week) FROM stop_service GROUP BY 1, 2 ORDER BY 1, 2": "gtfs:under-test:193|0|448\n" +
					"gtfs:under-test:193|1|448\ngtfs:under-test:200|0|473\ngtfs:under-test:200|1|525",
				services: "92|40288|525",
			},
		},
		sourcetest.Case{
			Name: "a bus of Portland, in a folder", Path: testenv.Data("us-portland/gtfs/trimet-vermont-2018"), Read: 4_468,
			Rows: map[string]string{
				timetable: "TriMet|2018-01-29|2018-06-01|2018-02-26|130",
				"SELECT name, long_name, mode, round(spacing_m) FROM route": "1|Vermont|bus|229",
				services: "132|6885|70",
			},
		},
		sourcetest.Case{
			Name: "a town with headways", Path: folder(t, with(frequenciesFile,
				"trip_id,start_time,end_time,headway_secs,exact_times\nT1,06:00:00,07:00:00,600,\nT1,07:00:00,08:00:00,900,1\n")),
			Rows: map[string]string{"SELECT start_s, last_s, headway_s, exact FROM schedule_headway ORDER BY 1": "21600|24600|600|false\n" +
				"25200|27900|900|true"},
		},
		sourcetest.Case{
			Name: "a week of Seattle that is asked for", Path: testenv.Data("us-seattle/gtfs/seattle-area-2017"), Options: "week: 2017-12-25",
			Rows: map[string]string{
				timetable: "∅|2017-11-18|2018-03-09|2017-12-25|7806",
				"SELECT mode, count(*) FROM route GROUP BY 1 ORDER BY 1": "bus|9\nferry|2\ntram|3",
			},
		},
		sourcetest.Case{
			Name: "Collines: French with translations", Path: testenv.Data("ca-ottawa/gtfs-transcollines/transcollines-qc-ca.zip"),
			Rows: map[string]string{
				timetable: "Transcollines - MRC des Collines-de-l'Outaouais|2026-01-05|2026-08-23|2026-04-20|137",
				lines:     "8|bus|bus|910|8",
				stops:     "424|0|25",
				services:  "737|6605|15",
				"SELECT DISTINCT name, name_fr FROM stop WHERE name LIKE 'NCC%'": "NCC Visitor Centre|Accueil CCN (Centre des visiteurs)",
			},
			Issues: map[string]int64{"in_seat_transfer": 14},
		},
		sourcetest.Case{
			Name: "Saguenay: no calendar row, quoted blanks", Path: testenv.Data("formats/saguenay_gtfs.zip"),
			Rows: map[string]string{
				timetable: "Société de Transport du Saguenay|2022-01-10|2022-04-03|2022-01-24|7798",
				stops:     "1628|0|0",
				services:  "3359|246253|305",
			},
		},
		sourcetest.Case{ // figures of the services by an independent count
			Name: "Brockton: services on demand beside the timetable", Path: testenv.Data("formats/gtfs/brockton-flex-2022.zip"), Read: 49_793,
			Rows: map[string]string{
				timetable: "Trillium Solutions, Inc.|2021-03-01|2023-08-01|2022-09-05|3953",
				services:  "973|135884|272",
			},
			Issues: map[string]int64{"demand_responsive_service": 49, "demand_responsive_trip": 5, "stop_time_of_skipped_trip": 26},
		},
		sourcetest.Case{
			Name: "Trois-Rivières: byte order marks, CRLF, empty frequencies", Path: testenv.Data("formats/trois_rivieres_gtfs.zip"),
			Rows: map[string]string{
				timetable: "Société de Transport de Trois-Rivières|2021-01-03|2021-03-06|2021-01-25|4538",
				stops:     "978|0|0",
				services:  "1626|171218|213",
			},
		},
	)
}

// countSQL counts the trips of a week without a line of ours: every service of each of the seven days, every trip of it,
// every stop of that where one may board or alight.
const countSQL = `
WITH days AS (SELECT CAST('%[2]s' AS DATE) + CAST(i AS INTEGER) AS day FROM range(7) AS r(i)),
calendar AS (SELECT * FROM read_csv('%[1]s/calendar.txt', all_varchar = true)),
exceptions AS (SELECT service_id, strptime(date, '%%Y%%m%%d')::DATE AS day, exception_type FROM read_csv('%[1]s/calendar_dates.txt', all_varchar = true)),
regular AS (
	SELECT service_id, day FROM calendar, days
	WHERE day BETWEEN strptime(start_date, '%%Y%%m%%d') AND strptime(end_date, '%%Y%%m%%d')
	AND [monday, tuesday, wednesday, thursday, friday, saturday, sunday][isodow(day)] = '1'),
running AS (
	(SELECT * FROM regular EXCEPT SELECT service_id, day FROM exceptions WHERE exception_type = '2')
	UNION SELECT service_id, day FROM exceptions SEMI JOIN days USING (day) WHERE exception_type = '1'),
served AS (
	SELECT DISTINCT trip_id, stop_id FROM read_csv('%[1]s/stop_times.txt', all_varchar = true)
	WHERE NOT (coalesce(pickup_type, '0') = '1' AND coalesce(drop_off_type, '0') = '1')),
counted AS (
	SELECT 'gtfs:under-test:' || stop_id AS stop_key, 'gtfs:under-test:' || route_id AS route_key,
		CAST(coalesce(direction_id, '0') AS INTEGER) AS direction, count(*) AS trips_week
	FROM running JOIN read_csv('%[1]s/trips.txt', all_varchar = true) USING (service_id) JOIN served USING (trip_id)
	GROUP BY ALL)`

func TestTripsAgreeWithSQL(t *testing.T) {
	for _, folder := range []string{testenv.Data("us-portland/gtfs/trimet-vermont-2018"), testenv.Data("us-seattle/gtfs/seattle-area-2017")} {
		db := staged(t, folder, "")
		var week string
		if err := db.QueryRow("SELECT week FROM timetable").Scan(&week); err != nil {
			t.Fatal(err)
		}
		counted := fmt.Sprintf(countSQL, folder, week)
		const ours = "SELECT stop_key, route_key, direction, trips_week FROM stop_service"
		got := sourcetest.Ask(t, db, counted+" SELECT count(*), count(*) > 100, (SELECT count(*) FROM ("+ours+")) FROM counted SEMI JOIN ("+ours+
			") USING (stop_key, route_key, direction, trips_week)")
		var same, all int
		var many string
		if _, err := fmt.Sscanf(got, "%d|%4s|%d", &same, &many, &all); err != nil || same != all || many != "true" {
			t.Errorf("%s: %s: services that agree, whether they are many, services", folder, got)
		}
		if extra := sourcetest.Ask(t, db, counted+" SELECT count(*) FROM (SELECT stop_key, route_key, direction, trips_week FROM counted EXCEPT "+
			ours+")"); extra != "0" {
			t.Errorf("%s: %s services that are not staged", folder, extra)
		}
	}
}

// staged reads a feed that is there.
func staged(t *testing.T, path, options string) *duck.DB {
	t.Helper()
	testenv.SkipWithoutData(t, path)
	_, db, err := sourcetest.Stage(t, Kind, source.Input{Source: "under-test", Path: path, Options: sourcetest.Options(t, options)})
	if err != nil {
		t.Fatal(err)
	}
	return db
}
