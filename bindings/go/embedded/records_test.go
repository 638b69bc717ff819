package embedded

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestABatchIsItsWritesInOrder(t *testing.T) {
	batch := Batch{}.Put([]byte("k"), []byte("v")).Delete([]byte("d")).Put(nil, nil)
	var seen []string
	err := batch.Each(
		func(key, value []byte) error { seen = append(seen, "put "+string(key)+"="+string(value)); return nil },
		func(key []byte) error { seen = append(seen, "delete "+string(key)); return nil })
	if want := []string{"put k=v", "delete d", "put ="}; err != nil || !slices.Equal(seen, want) {
		t.Errorf("%v, %v; not %v", seen, err, want)
	}
	fails := errors.New("fails")
	err = batch.Each(func(_, _ []byte) error { return fails }, nil)
	if err != fails {
		t.Errorf("%v", err)
	}
}

func TestAWriteMayHaveATimeToLive(t *testing.T) {
	batch := Batch{}.PutExpiring([]byte("k"), []byte("v"), 60).Put([]byte("l"), nil)
	var seen []string
	err := batch.EachExpiring(func(key, value []byte, seconds uint32) error {
		seen = append(seen, fmt.Sprintf("%s=%s %d", key, value, seconds))
		return nil
	}, nil)
	if want := []string{"k=v 60", "l= 0"}; err != nil || !slices.Equal(seen, want) {
		t.Errorf("%v, %v; not %v", seen, err, want)
	}
}

func TestResultsThatDoNotFitAreCounted(t *testing.T) {
	for room := range 20 {
		memory := make([]byte, 20)
		found := results{memory: memory[:room:room]}
		found.add([]byte("key"))
		found.add([]byte("value"))
		if found.length != 16 {
			t.Errorf("%d bytes in %d", found.length, room)
		}
		if rest := memory[room:]; slices.Max(append(rest, 0)) != 0 {
			t.Errorf("wrote %v behind %d bytes", rest, room)
		}
	}
}

func TestMoreThanJavaCanCountIsAnError(t *testing.T) {
	var err error
	if length := total(math.MaxInt32, &err); length != math.MaxInt32 || err != nil {
		t.Errorf("%d, %v", length, err)
	}
	total(math.MaxInt32+1, &err)
	if want := "one call returns 2147483648 bytes, which is more than 2147483647"; err == nil ||
		err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
	before := errors.New("before")
	if err = before; total(math.MaxInt32+1, &err) > 0 || err != before {
		t.Errorf("%v, not %v", err, before)
	}
}

func TestWhatIsFoundIsAValueNothingOrAnError(t *testing.T) {
	absent, fails := errors.New("absent"), errors.New("fails")
	for _, each := range []struct {
		value  string
		err    error
		length int
		want   error
	}{
		{"value", nil, 5, nil},
		{"", nil, 0, nil},
		{"", fmt.Errorf("wrapped: %w", absent), NotFound, nil},
		{"", fails, 0, fails},
	} {
		buffer := []byte("xxx")
		length, err := Found(each.value, buffer, each.err, absent)
		if length != each.length || err != each.want {
			t.Errorf("%d, %v, not %d, %v", length, err, each.length, each.want)
		}
		if want := (each.value + "xxx")[:3]; string(buffer) != want {
			t.Errorf("%s, not %s", buffer, want)
		}
	}
}

func TestTheSuccessorOfAPrefix(t *testing.T) {
	for _, each := range []struct {
		from, to string
		is       bool
	}{
		{"ab", "ac", true},
		{"a\xff", "b", true},
		{"a\xfe", "b", false},
		{"ab", "b", false},
		{"ab", "ad", false},
		{"ab", "", false},
		{"\xff", "", false},
		{"\xff", "\x00", false},
		{"", "a", false},
	} {
		if is := IsSuccessor([]byte(each.from), []byte(each.to)); is != each.is {
			t.Errorf("%q, %q: %v", each.from, each.to, is)
		}
	}
}
