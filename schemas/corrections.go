package schemas

// CorrectionActions are what a correction does to a place.
var CorrectionActions = []string{DropPlace, MovePlace, RenamePlace, RecategorisePlace}

// The actions of corrections.
const (
	DropPlace         = "drop"
	MovePlace         = "move"
	RenamePlace       = "rename"
	RecategorisePlace = "recategorise"
)
