// buntdb, a B-tree in memory with an append-only file.
package main

import (
	"path/filepath"
	"time"
	"unsafe"

	"github.com/tidwall/buntdb"

	"kvrank/embedded"
)

// Its records are strings: a key or a value that is kept becomes one, a key that is looked up is seen
// as one.
func seen(bytes []byte) string { return unsafe.String(unsafe.SliceData(bytes), len(bytes)) }

type engine struct {
	database *buntdb.DB
}

type reader struct{ tx *buntdb.Tx }

func (r reader) Get(key, buffer []byte) (int, error) {
	value, err := r.tx.Get(seen(key))
	return embedded.Found(value, buffer, err, buntdb.ErrNotFound)
}

func (e engine) Get(key, buffer []byte) (length int, err error) {
	err = e.database.View(func(tx *buntdb.Tx) error {
		length, err = reader{tx}.Get(key, buffer)
		return err
	})
	return length, err
}

func (e engine) Read(reads func(embedded.Reader) error) error {
	return e.database.View(func(tx *buntdb.Tx) error { return reads(reader{tx}) })
}

func (e engine) Put(key, value []byte) error {
	return e.database.Update(func(tx *buntdb.Tx) error { return put(tx, key, value, 0) })
}

func (e engine) Delete(key []byte) error {
	return e.database.Update(func(tx *buntdb.Tx) error { return remove(tx, key) })
}

func (e engine) Write(batch embedded.Batch) error {
	return e.database.Update(func(tx *buntdb.Tx) error {
		return batch.EachExpiring(
			func(key, value []byte, seconds uint32) error { return put(tx, key, value, seconds) },
			func(key []byte) error { return remove(tx, key) })
	})
}

func put(tx *buntdb.Tx, key, value []byte, seconds uint32) error {
	var options *buntdb.SetOptions
	if seconds > 0 {
		options = &buntdb.SetOptions{Expires: true, TTL: time.Duration(seconds) * time.Second}
	}
	_, _, err := tx.Set(string(key), string(value), options)
	return err
}

func remove(tx *buntdb.Tx, key []byte) error {
	if _, err := tx.Delete(seen(key)); err != buntdb.ErrNotFound {
		return err
	}
	return nil
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	return e.database.View(func(tx *buntdb.Tx) error {
		return tx.AscendGreaterOrEqual("", string(from), func(key, value string) bool {
			return visit(embedded.Bytes(key), embedded.Bytes(value))
		})
	})
}

func (e engine) Facts() map[string]any {
	var config buntdb.Config
	if err := e.database.ReadConfig(&config); err != nil {
		return map[string]any{"sync": err.Error()}
	}
	return map[string]any{"sync": embedded.Word(policies, config.SyncPolicy)}
}

// Reports counts what is past its time to live as well, until the next sweep.
func (e engine) Reports() map[string]any {
	var records int
	err := e.database.View(func(tx *buntdb.Tx) (err error) {
		records, err = tx.Len()
		return err
	})
	if err != nil {
		return map[string]any{"unknown": err.Error()}
	}
	return map[string]any{"records": records}
}

func (e engine) Close() error { return e.database.Close() }

var policies = map[string]buntdb.SyncPolicy{
	"true": buntdb.Always, "everysec": buntdb.EverySecond, "false": buntdb.Never,
}

func open(properties *embedded.Properties) (embedded.Engine, error) {
	folder := properties.Folder("dir")
	policy := embedded.Choose(properties, "sync", policies)
	if err := properties.Err(); err != nil {
		return nil, err
	}
	database, err := buntdb.Open(filepath.Join(folder, "data.db"))
	if err != nil {
		return nil, err
	}
	var config buntdb.Config
	if err = database.ReadConfig(&config); err == nil {
		config.SyncPolicy = policy
		config.AutoShrinkDisabled = true // a rewrite in the middle of a phase would be noise
		err = database.SetConfig(config)
	}
	if err != nil {
		database.Close()
		return nil, err
	}
	return engine{database}, nil
}

func init() { embedded.Register("github.com/tidwall/buntdb", open) }

func main() { embedded.Loop() }
