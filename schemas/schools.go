package schemas

// SchoolClasses are what staged.poi of scheme 'quartier' may call a school beside its categories: of both levels, of
// one, or without saying. Schools are no POIs, but destinations.
var SchoolClasses = []string{"primary_school", "high_school", "school"}
