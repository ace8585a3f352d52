package schools

import "quartier/schemas/reason"

// Reasons are why records, catchments and ratings are left out, and why records stay schools of their own.
var Reasons reason.List

var (
	idOfTwoSchools = Reasons.Repaired("id_of_two_schools",
		"A source gives the number to another school elsewhere; the record is used without it.")
	withoutPlace = Reasons.Skipped("school_without_coordinates", "No record of the school has coordinates.")
	withoutName  = Reasons.Skipped("school_without_name", "No record of the school has a name.")
	withoutLevel = Reasons.Noted("school_without_level",
		"Neither grades nor levels, the name nor a catchment say what the school teaches; it is in both lists.")
	notASchool = Reasons.Skipped("no_school_of_children",
		"The name is that of an office, or of a school of something else, such as driving.")
	withoutSchool         = Reasons.Skipped("catchment_without_school", "No school has the number or the name.")
	ambiguousSchool       = Reasons.Skipped("catchment_of_several_schools", "Several schools that are equally near have the name.")
	withoutRated          = Reasons.Skipped("rating_without_school", "No school has the number, or the name and the board.")
	severalRated          = Reasons.Skipped("rating_of_several_schools", "Several schools fit the name and the board equally well.")
	ratedTwice            = Reasons.Skipped("school_rated_twice", "Another row rates the school already.")
	withoutCatchmentLevel = Reasons.Skipped("catchment_without_level", "Neither the outline nor its school has a level.")
	unratedProvince       = Reasons.Skipped("rating_outside_on_bc", "In Canada schools of Ontario and British Columbia alone have ratings.")
)

// unmerged is why a record was not merged with one of another source. The greatest one is reported.
type unmerged int

const (
	unmergedAlone unmerged = iota
	unmergedName
	unmergedFar
	unmergedGrades
	unmergedOther
)

// note takes another reason into account.
func (u *unmerged) note(why unmerged) { *u = max(*u, why) }

// unmergedReasons are the reasons of records that are schools of their own beside other sources, by unmerged.
var unmergedReasons = []reason.Reason{
	unmergedAlone: Reasons.Noted("unmerged_alone", "No school of another source is at the same spot or has the same name around."),
	unmergedName:  Reasons.Noted("unmerged_other_name", "Schools of other sources within 100 m have other names."),
	unmergedFar:   Reasons.Noted("unmerged_far", "Schools of other sources have the name and are too far away."),
	unmergedGrades: Reasons.Noted("unmerged_other_grades",
		"A school of another source has the name at the same spot and teaches other grades."),
	unmergedOther: Reasons.Noted("unmerged_second_school",
		"The school of another source with the name at the same spot is one with a more similar record of this source: schools of one building."),
}
