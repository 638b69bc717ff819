package memory

import (
	"maps"
	"os"
	"path/filepath"
	"testing"

	"kvrank/embedded"
)

type table map[string]string

func (t table) apply(batch embedded.Batch) {
	batch.Each(
		func(key, value []byte) error { t[string(key)] = string(value); return nil },
		func(key []byte) error { delete(t, string(key)); return nil })
}

func reopened(t *testing.T, folder string) (*log, table) {
	t.Helper()
	found := table{}
	log, err := openLog(folder, true, found.apply)
	if err != nil {
		t.Fatal(err)
	}
	return log, found
}

func write(t *testing.T, log *log, batches ...embedded.Batch) {
	t.Helper()
	for _, batch := range batches {
		if err := log.append(batch); err != nil {
			t.Fatal(err)
		}
	}
}

var (
	first  = embedded.Batch{}.Put([]byte("a"), []byte("1")).Put([]byte("b"), nil)
	second = embedded.Batch{}.Delete([]byte("a")).Put([]byte(""), []byte("2"))
)

func TestWhatWasWrittenIsThereAgain(t *testing.T) {
	folder := t.TempDir()
	log, _ := reopened(t, folder)
	write(t, log, first, second)
	_, found := reopened(t, folder)
	if want := (table{"b": "", "": "2"}); !maps.Equal(found, want) {
		t.Errorf("found %v, not %v", found, want)
	}
}

// A process that is killed leaves any part of its last write.
func TestABatchThatIsNotWholeIsDropped(t *testing.T) {
	folder := t.TempDir()
	log, _ := reopened(t, folder)
	write(t, log, first)
	file := filepath.Join(folder, "append.log")
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	write(t, log, second)
	all, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte{}, all...)
	damaged[len(all)-1]++
	left := [][]byte{damaged}
	for length := len(whole); length < len(all); length++ {
		left = append(left, all[:length])
	}
	for _, bytes := range left {
		if err := os.WriteFile(file, bytes, 0o666); err != nil {
			t.Fatal(err)
		}
		log, found := reopened(t, folder)
		if want := (table{"a": "1", "b": ""}); !maps.Equal(found, want) {
			t.Fatalf("of %d bytes found %v, not %v", len(bytes), found, want)
		}
		write(t, log, second)
		if _, found = reopened(t, folder); len(found) != 2 || found[""] != "2" {
			t.Fatalf("after %d bytes and a write found %v", len(bytes), found)
		}
	}
}
