// cznic/kv, a B+ tree in one file with a log; all calls share one lock.
package main

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/kv"

	"kvrank/embedded"
)

// Beyond this a call fails, and with it every write after it.
const longest = 65_787

var errTooLong = errors.New("kv holds keys and values of up to 65,787 bytes")

type engine struct{ database *kv.DB }

func (e engine) Get(key, buffer []byte) (int, error) {
	value, err := e.database.Get(buffer, key)
	if value == nil {
		return embedded.NotFound, err
	}
	// Not always into the buffer, even if it is large enough.
	copy(buffer, value)
	return len(value), err
}

func (e engine) Put(key, value []byte) error {
	if len(key) > longest || len(value) > longest {
		return errTooLong
	}
	return e.database.Set(key, value)
}

func (e engine) Delete(key []byte) error { return e.database.Delete(key) }

// Write is no transaction of its own: whatever is written within a second is committed together.
func (e engine) Write(batch embedded.Batch) error {
	return batch.Each(e.Put, e.database.Delete)
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	records, _, err := e.database.Seek(from)
	if err != nil {
		return err
	}
	for {
		key, value, err := records.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil || !visit(key, value) {
			return err
		}
	}
}

func (e engine) Facts() map[string]any { return map[string]any{"commit-interval": "1s"} }

func (e engine) Close() error { return e.database.Close() }

func open(properties *embedded.Properties) (embedded.Engine, error) {
	file := filepath.Join(properties.Text("dir"), "records.db")
	if err := properties.Err(); err != nil {
		return nil, err
	}
	how := kv.Open
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		how = kv.Create
	}
	// Its own lock is a file, which would outlive a process that is killed.
	unlocked := func(string) (io.Closer, error) { return io.NopCloser(nil), nil }
	database, err := how(file, &kv.Options{Locker: unlocked})
	return engine{database}, err
}

func init() { embedded.Register("modernc.org/kv", open) }

func main() { embedded.Loop() }
