package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"quartier/fixtures/fixturetest"
	"quartier/schemas"
)

// The variables of the contract's two tables and of the decisions on them, by category; those of one country only are
// followed by it.
var (
	contractAround = `commute_mode: cmtr_cycle cmtr_drive cmtr_foot cmtr_none cmtr_other cmtr_transt
education_level: ed_bach_deg ed_collg_dip ed_high_sch ed_no_high_sc ed_post_grad ed_post_sec
employment_status: emplyd_no/US emplyd_yes/US
household_children: home_kids home_no_kids
household_composition: home_1_ppl home_2_ppl home_3_ppl home_4_ppl home_5_ppl home_6_plus/US
housing_type: apt_attachd apt_bldg_lg apt_bldg_sm apt_dttachd apt_plex
income: avg_household_income avg_individual_income/CA
income_level: inc_00_09 inc_10_19 inc_20_34 inc_35_49 inc_50_74 inc_75_100 inc_100_149 inc_150_200 inc_200_plus
income_stats: inc_home inc_person/CA
population_age: age_00_04 age_05_09 age_10_14 age_15_19 age_20_24 age_25_29 age_30_34 age_35_39 age_40_44 age_45_49 age_50_54 age_55_59 age_60_64 age_65_69 age_70_74 age_75_79 age_80_84 age_85_plus
population_total: popn_total
property_tenure: prop_owner prop_renter`

	contractByGeography = `commute_mode: commute_mode_total bicycle drive foot other transit
commute_time: commute_time_total commute_time_00_to_14_minutes commute_time_15_to_29_minutes commute_time_30_to_44_minutes commute_time_45_to_59_minutes commute_time_60_plus_minutes
education_level: education_level_total bachelor_degree college_certificate doctorate high_school masters_degree medical_degree no_high_school trade_certificate/CA university_certifcate
employment_status: employment_total/US employment_employed/US employment_unemployed/US
household_composition: household_size_total_count household_size_1_person_percent household_size_2_people_percent household_size_3_people_percent household_size_4_people_percent household_size_5_plus_people_percent
households: households_total
households_children: avg_children_per_household/CA home_households_total home_kids home_no_kids
housing_affordability: housing_affordability_index
housing_bedroom_count: housing_units_total housing_0_bedroom housing_1_bedroom housing_2_bedrooms housing_3_bedrooms housing_4_plus_bedrooms
housing_construction_year: housing_units_total housing_construction_year_before_1961/CA housing_construction_year_1961_to_1980/CA housing_construction_year_1981_to_1990/CA housing_construction_year_1991_to_2000/CA housing_construction_year_2001_to_2005/CA housing_construction_year_2006_to_2010/CA housing_construction_year_2011_to_2015/CA housing_construction_year_2016_to_2021/CA housing_construction_year_1980_to_1989/US
housing_type: housing_type_total apt_attachd apt_bldg_lg apt_bldg_sm apt_dttachd apt_plex
immigration: immigration_total immigration_immigrants immigration_non_immigrants immigration_non_permanent_residents/CA
income_level: household_income_total inc_00_09 inc_10_19 inc_20_34 inc_35_49 inc_50_74 inc_75_100 inc_100_149 inc_150_200 inc_200_plus
income_stats: avg_household_income median_household_income avg_individual_income/CA median_individual_income/CA
marital_status: marital_status_total marital_status_divorced marital_status_married marital_status_never_married marital_status_separated marital_status_widowed
mother_tongue: mother_tongue_total/CA mother_tongue_english/CA mother_tongue_french/CA mother_tongue_other/CA mother_tongue_multiple/CA
official_language_knowledge: official_language_total/CA official_language_english_only/CA official_language_french_only/CA official_language_english_and_french/CA official_language_neither/CA
population_age: population_age_total age_00_04 age_85_plus
population_total: total_individuals
property_tenure: property_tenure_total prop_owner prop_renter`

	// absentThere is why a country does not have the variables of the other: DATA.md and docs/methods.md, 7.
	absentThere = map[string]string{
		"employment_status": "published for the US only", "home_6_plus": "Canada's largest class is five or more",
		"avg_individual_income": "individual figures in Canada only",
		"inc_person":            "individual figures in Canada only", "median_individual_income": "individual figures in Canada only",
		"trade_certificate":          "no such line of B15003",
		"avg_children_per_household": "contract: Canada only", "housing_construction_year": "each country has its own periods",
		"immigration_non_permanent_residents": "no such line of B05002",
		"mother_tongue":                       "contract: Canada only", "official_language_knowledge": "contract: Canada only",
	}
)

// TestEveryVariableOfTheContract checks that the release of the synthetic towns has every variable of the contract in both
// countries, and those of one country in the other only for a reason.
func TestEveryVariableOfTheContract(t *testing.T) {
	release := filepath.Join(townsDir(t), "first")
	s := startServer(t, release)
	_, token := s.account(t, "--rate", "1000000")
	around, byGeography := map[string]bool{}, map[string]bool{}
	homes := fixturetest.Homes(1)
	for i := 0; i < len(homes); i += len(homes)/40 + 1 {
		h := homes[i]
		for category, c := range s.people(t, token, fmt.Sprintf("lat=%v&lng=%v&radius=3000", h.Point[1], h.Point[0])) {
			for _, v := range c.Variables {
				around[h.Country()+" "+category+" "+v.Variable] = true
			}
		}
	}
	countries := map[string]string{}
	for _, row := range rows(t, filepath.Join(release, schemas.GeographiesFile), "SELECT geog_id, country_code FROM geography") {
		countries[row[0]] = row[1]
	}
	for _, row := range rows(t, filepath.Join(release, schemas.DemographicsFile),
		"SELECT DISTINCT geog_id, category, variable FROM geography_variable") {
		byGeography[countries[row[0]]+" "+row[1]+" "+row[2]] = true
	}
	for _, list := range []struct {
		name, contract string
		has            map[string]bool
	}{{"around a point", contractAround, around}, {"by geography", contractByGeography, byGeography}} {
		for _, line := range strings.Split(list.contract, "\n") {
			category, variables, _ := strings.Cut(line, ": ")
			for _, entry := range strings.Fields(variables) {
				variable, only, _ := strings.Cut(entry, "/")
				for _, country := range schemas.Countries {
					has := list.has[country+" "+category+" "+variable]
					reason := absentThere[variable] + absentThere[category]
					switch wanted := only == "" || only == country; {
					case wanted && !has:
						t.Errorf("%s: %s has no %s of %s", list.name, country, variable, category)
					case !wanted && has:
						t.Errorf("%s: %s has %s of %s, which is %s's", list.name, country, variable, category, only)
					case !wanted && reason == "":
						t.Errorf("%s: %s of %s is absent in %s without a reason", list.name, variable, category, country)
					}
				}
			}
		}
	}
}
