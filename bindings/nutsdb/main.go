// NutsDB, an index in memory over files of entries, whose writes are transactions one after the other.
package main

import (
	"errors"

	"github.com/nutsdb/nutsdb"

	"kvrank/embedded"
)

const records = "records"

type engine struct {
	database *nutsdb.DB
	sync     bool
}

type reader struct{ tx *nutsdb.Tx }

func (r reader) Get(key, buffer []byte) (int, error) {
	value, err := r.tx.Get(records, key)
	if errors.Is(err, nutsdb.ErrKeyNotFound) || errors.Is(err, nutsdb.ErrNotFoundKey) {
		return embedded.NotFound, nil
	}
	copy(buffer, value)
	return len(value), err
}

func (e engine) Get(key, buffer []byte) (length int, err error) {
	err = e.database.View(func(tx *nutsdb.Tx) error {
		length, err = reader{tx}.Get(key, buffer)
		return err
	})
	return length, err
}

func (e engine) Read(reads func(embedded.Reader) error) error {
	return e.database.View(func(tx *nutsdb.Tx) error { return reads(reader{tx}) })
}

func (e engine) Put(key, value []byte) error {
	return e.database.Update(func(tx *nutsdb.Tx) error { return put(tx, key, value, nutsdb.Persistent) })
}

func (e engine) Delete(key []byte) error {
	return e.database.Update(func(tx *nutsdb.Tx) error { return remove(tx, key) })
}

func (e engine) Write(batch embedded.Batch) error {
	return e.database.Update(func(tx *nutsdb.Tx) error {
		return batch.EachExpiring(
			func(key, value []byte, seconds uint32) error { return put(tx, key, value, seconds) },
			func(key []byte) error { return remove(tx, key) })
	})
}

// put hands over copies: the index keeps them. No seconds are nutsdb.Persistent.
func put(tx *nutsdb.Tx, key, value []byte, seconds uint32) error {
	return tx.Put(records, append([]byte{}, key...), append([]byte{}, value...), seconds)
}

func remove(tx *nutsdb.Tx, key []byte) error {
	err := tx.Delete(records, append([]byte{}, key...))
	if errors.Is(err, nutsdb.ErrKeyNotFound) || errors.Is(err, nutsdb.ErrNotFoundKey) {
		return nil
	}
	return err
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	return e.database.View(func(tx *nutsdb.Tx) error {
		all := nutsdb.NewIterator(tx, records, nutsdb.IteratorOptions{})
		defer all.Release()
		for more := all.Seek(from); more; {
			value, err := all.Value()
			if err != nil {
				return err
			}
			more = visit(all.Key(), value) && all.Next()
		}
		return nil
	})
}

func (e engine) Facts() map[string]any {
	return map[string]any{"sync": e.sync}
}

func (e engine) Close() error { return e.database.Close() }

func open(properties *embedded.Properties) (embedded.Engine, error) {
	options := nutsdb.DefaultOptions
	options.Dir, options.SyncEnable = properties.Text("dir"), properties.Flag("sync")
	options.MergeInterval = 0
	if err := properties.Err(); err != nil {
		return nil, err
	}
	database, err := nutsdb.Open(options)
	if err != nil {
		return nil, err
	}
	err = database.Update(func(tx *nutsdb.Tx) error {
		if tx.ExistBucket(nutsdb.DataStructureBTree, records) {
			return nil
		}
		return tx.NewKVBucket(records)
	})
	return engine{database, options.SyncEnable}, err
}

func init() { embedded.Register("github.com/nutsdb/nutsdb", open) }

func main() { embedded.Loop() }
