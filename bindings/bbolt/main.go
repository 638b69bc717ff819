// bbolt, a B+tree in a mapped file, whose writes are transactions one after the other.
package main

import (
	"path/filepath"

	"go.etcd.io/bbolt"

	"kvrank/embedded"
)

var records = []byte("records")

type engine struct {
	database *bbolt.DB
	update   func(func(*bbolt.Tx) error) error
	commit   string
}

type reader struct{ bucket *bbolt.Bucket }

func (r reader) Get(key, buffer []byte) (int, error) {
	value := r.bucket.Get(key)
	if value == nil {
		return embedded.NotFound, nil
	}
	copy(buffer, value)
	return len(value), nil
}

func (e engine) Get(key, buffer []byte) (length int, err error) {
	err = e.database.View(func(tx *bbolt.Tx) error {
		length, err = reader{tx.Bucket(records)}.Get(key, buffer)
		return err
	})
	return length, err
}

func (e engine) Read(reads func(embedded.Reader) error) error {
	return e.database.View(func(tx *bbolt.Tx) error { return reads(reader{tx.Bucket(records)}) })
}

func (e engine) Put(key, value []byte) error {
	return e.update(func(tx *bbolt.Tx) error { return tx.Bucket(records).Put(key, value) })
}

func (e engine) Delete(key []byte) error {
	return e.update(func(tx *bbolt.Tx) error { return tx.Bucket(records).Delete(key) })
}

func (e engine) Write(batch embedded.Batch) error {
	return e.update(func(tx *bbolt.Tx) error {
		bucket := tx.Bucket(records)
		return batch.Each(bucket.Put, bucket.Delete)
	})
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	return e.database.View(func(tx *bbolt.Tx) error {
		cursor := tx.Bucket(records).Cursor()
		key, value := cursor.Seek(from)
		for key != nil && visit(key, value) {
			key, value = cursor.Next()
		}
		return nil
	})
}

func (e engine) Facts() map[string]any {
	return map[string]any{
		"sync":       !e.database.NoSync,
		"commit":     e.commit,
		"page-bytes": e.database.Info().PageSize,
		"freelist":   string(e.database.FreelistType),
	}
}

func (e engine) Close() error { return e.database.Close() }

func open(properties *embedded.Properties) (embedded.Engine, error) {
	folder, sync := properties.Folder("dir"), properties.Flag("sync")
	commit := properties.Choice("commit", "update", "batch")
	freelist := properties.Choice("freelist", "array", "hashmap")
	if err := properties.Err(); err != nil {
		return nil, err
	}
	options := *bbolt.DefaultOptions
	options.NoSync = !sync
	options.NoGrowSync = !sync
	options.FreelistType = bbolt.FreelistType(freelist)
	database, err := bbolt.Open(filepath.Join(folder, "data.db"), 0o666, &options)
	if err != nil {
		return nil, err
	}
	err = database.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucketIfNotExists(records)
		return err
	})
	if err != nil {
		database.Close()
		return nil, err
	}
	if commit == "batch" {
		return engine{database, database.Batch, commit}, nil
	}
	return engine{database, database.Update, commit}, nil
}

func init() { embedded.Register("go.etcd.io/bbolt", open) }

func main() { embedded.Loop() }
