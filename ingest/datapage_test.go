package ingest

import (
	"io"
	"strings"
	"testing"

	"quartier/schemas/reason"
)

func TestACodeHasOneDeclaration(t *testing.T) {
	for name, r := range map[string]reason.Reason{
		"another sentence": {Code: "duplicate_key", Severity: reason.Rejected, Description: "The row occurs twice."},
		"another severity": {Code: "not_a_stop", Severity: reason.Rejected,
			Description: "The location is an entrance, a generic node or a boarding area."},
	} {
		err := WriteDataPage(io.Discard, t.TempDir(), []reason.Raiser{{Name: "test", Reasons: []reason.Reason{r}}})
		if err == nil || !strings.Contains(err.Error(), "reason "+r.Code+" of step test is declared as") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := WriteDataPage(io.Discard, t.TempDir(), nil); err != nil {
		t.Error(err)
	}
}
