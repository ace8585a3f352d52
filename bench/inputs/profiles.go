package inputs

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"quartier/bench/fail"
	"quartier/build/files"
	"quartier/build/packs"
	"quartier/build/released"
	"quartier/build/texts"
	"quartier/schemas"
	"quartier/schemas/demographics"
	"quartier/schemas/profile"
)

// Profiles writes profiles.sqlite and profiles.pack of n geographies with arbitrary facts, and prints the number of
// sentences, the size of the pack and the seconds taken.
func Profiles(args []string) {
	n, dir, ctx := fail.Must(strconv.Atoi(args[0])), args[1], context.Background()
	fail.Check(os.MkdirAll(dir, 0o755))
	defer os.RemoveAll(dir)
	begun := time.Now()
	file := fail.Must(files.CreateProfiles(ctx, &files.Release{Dir: dir}))
	defer file.Close()
	left := fail.Must(texts.Write(ctx, nil,
		func(emit func(profile.Place, []profile.Fact) error) error {
			for i := range n {
				if err := emit(arbitraryProfile(i)); err != nil {
					return err
				}
			}
			return nil
		},
		func(p *texts.Profile) error { return file.Add(&p.Place, p.Facts, p.Texts) }))
	fail.Check(file.Finish(ctx, left))
	fail.Check(packs.WriteProfiles(ctx, dir, dir))
	seconds := time.Since(begun).Seconds()
	db := fail.Must(released.Open(filepath.Join(dir, schemas.ProfilesFile)))
	defer db.Close()
	fmt.Println(count(db), fail.Must(os.Stat(filepath.Join(dir, schemas.ProfilesPack))).Size(), seconds)
}

func count(db *sql.DB) (rows int64) {
	fail.Check(db.QueryRow("SELECT count(*) FROM profile_text").Scan(&rows))
	return rows
}

// arbitraryProfile is the Canadian neighbourhood with a number, with about as many facts as one of a city has.
func arbitraryProfile(number int) (profile.Place, []profile.Fact) {
	r := rand.New(rand.NewPCG(uint64(number), 1))
	place := profile.Place{
		ID: fmt.Sprintf("g10_%010s", strconv.FormatInt(int64(number), 36)), Level: 10, Type: "neighbourhood", Country: "CA", State: "ON",
		NameEN: fmt.Sprintf("Place %d", number), CityEN: "Ottawa", CityFR: "Ottawa", AreaM2: 1e5 + 1e7*r.Float64(),
	}
	var facts []profile.Fact
	add := func(f profile.Fact) {
		f.Rank, f.Typical, f.Source = r.Float64(), f.Value*(0.5+r.Float64()), fmt.Sprintf("row:%d/%d", number, len(facts))
		facts = append(facts, f)
	}
	sections := map[string]profile.Section{"transportation": profile.Transport, "character": profile.Character, "nature": profile.Character}
	for _, score := range schemas.Scores {
		section, ok := sections[score.Category]
		if !ok {
			section = profile.Services
		}
		value := 5 * r.Float64()
		add(profile.Fact{Section: section, Code: profile.ScoreFact, Subject: score.ID, Value: value, Low: value * r.Float64(),
			High: min(5, value*1.2)})
	}
	for _, c := range schemas.Categories[:10] {
		inside := float64(r.IntN(40))
		add(profile.Fact{Section: profile.Services, Code: profile.CountFact, Subject: c.ID, Value: inside, Further: inside + float64(r.IntN(20))})
		add(profile.Fact{Section: profile.Services, Code: profile.WalkTimeFact, Subject: c.ID, Value: float64(1 + r.IntN(30))})
	}
	for k := range 3 {
		add(profile.Fact{Section: profile.Transport, Code: profile.LineFact, Subject: "bus", Name: strconv.Itoa(1 + r.IntN(300)),
			Value: float64(r.IntN(900))})
		add(profile.Fact{Section: profile.Services, Code: profile.StreetFact, Name: fmt.Sprintf("Street %d Avenue", number%977+k),
			Value: float64(3 + r.IntN(30))})
		add(profile.Fact{Section: profile.Character, Code: profile.ParkFact, Name: fmt.Sprintf("Park %d", number%1009+k), Value: 9 * r.Float64()})
	}
	add(profile.Fact{Section: profile.Transport, Code: profile.LinesFact, Subject: "bus", Value: float64(1 + r.IntN(20)),
		Further: float64(r.IntN(5000))})
	add(profile.Fact{Section: profile.Transport, Code: profile.StationFact, Subject: "subway", Name: fmt.Sprintf("Station %d", number%499),
		Value: float64(r.IntN(3000)), Further: 900})
	for _, category := range demographics.ByGeography {
		code, ok := map[string]profile.Code{"housing_type": profile.DwellingFact, "property_tenure": profile.TenureFact,
			"housing_bedroom_count": profile.BedroomsFact}[category.ID]
		for _, v := range category.Variables {
			if ok && v.Method == demographics.Share && v.Has("CA") {
				add(profile.Fact{Section: profile.Housing, Code: code, Subject: v.ID, Value: r.Float64(), Low: math.NaN(), High: math.NaN()})
			}
		}
	}
	return place, facts
}
