package embedded

import (
	"strings"
	"testing"
	"time"
)

type reader struct {
	Engine
	read []string
}

func (r *reader) Get(key, buffer []byte) (int, error) {
	r.read = append(r.read, string(key))
	if string(key) == "no" {
		return NotFound, nil
	}
	return copy(buffer, "value"), nil
}

func TestTheLoopReadsKeysInOrderAndAgain(t *testing.T) {
	var r reader
	perSecond, err := reads(&r, []byte("aabbcc"), 2, time.Millisecond)
	if err != nil || perSecond <= 0 || len(r.read)%1000 != 0 {
		t.Errorf("%v, %f/s, %d reads", err, perSecond, len(r.read))
	}
	for i, key := range r.read {
		if want := []string{"aa", "bb", "cc"}[i%3]; key != want {
			t.Fatalf("read %d is of '%s', not '%s'", i, key, want)
		}
	}
}

func TestTheLoopFailsByAKeyThatIsNotThere(t *testing.T) {
	var r reader
	_, err := reads(&r, []byte("isno"), 2, time.Hour)
	if err == nil || !strings.Contains(err.Error(), "'no'") {
		t.Errorf("%v", err)
	}
}
