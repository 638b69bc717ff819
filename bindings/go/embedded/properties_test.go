package embedded

import "testing"

var levels = map[string]int{"none": 0, "some": 5}

func TestAWordStandsForAValue(t *testing.T) {
	properties := &Properties{values: map[string]string{"level": "some"}}
	if level := Choose(properties, "level", levels); level != 5 || properties.Err() != nil {
		t.Errorf("%d, %v", level, properties.Err())
	}
	properties = &Properties{values: map[string]string{"other": "all"}}
	Choose(properties, "other", levels)
	if want := "the property 'other' is 'all', not one of none, some"; properties.Err() == nil ||
		properties.Err().Error() != want {
		t.Errorf("%v, not %s", properties.Err(), want)
	}
	if word := Word(levels, 5) + Word(levels, 0) + Word(levels, 6); word != "somenoneunknown" {
		t.Error(word)
	}
}

func TestAPropertyThatIsNotKnownIsWrong(t *testing.T) {
	properties := &Properties{values: map[string]string{"dir": "/tmp", "level": "some", "lvl": "none"}}
	properties.Text("level")
	if err, want := properties.Err(), "there is no property 'lvl'; known are level"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}
