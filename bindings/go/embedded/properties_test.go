package embedded

import "testing"

var levels = map[string]int{"none": 0, "some": 5}

func TestAWordStandsForAValue(t *testing.T) {
	properties := &Properties{values: map[string]string{"level": "some", "other": "all"}}
	if level := Choose(properties, "level", levels); level != 5 || properties.Err() != nil {
		t.Errorf("%d, %v", level, properties.Err())
	}
	Choose(properties, "other", levels)
	if want := "the property 'other' is 'all', not one of none, some"; properties.Err() == nil ||
		properties.Err().Error() != want {
		t.Errorf("%v, not %s", properties.Err(), want)
	}
	if word := Word(levels, 5) + Word(levels, 0) + Word(levels, 6); word != "somenoneunknown" {
		t.Error(word)
	}
}
