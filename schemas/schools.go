package schemas

// SchoolClasses are the classes of schools in staged.poi with the scheme 'quartier', besides categories; "school" is one
// of unknown level. Schools are destinations, but not POIs.
var SchoolClasses = []string{"primary_school", "high_school", "school"}
