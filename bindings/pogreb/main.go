// Pogreb, a hash table on disk whose records are in a log.
package main

import (
	"time"

	"github.com/akrylysov/pogreb"

	"kvrank/embedded"
)

type engine struct {
	database *pogreb.DB
	sync     bool
	millis   int // between two syncs of its own
}

func (e engine) Get(key, buffer []byte) (int, error) {
	value, err := e.database.Get(key)
	if value == nil {
		return embedded.NotFound, err
	}
	copy(buffer, value)
	return len(value), err
}

func (e engine) Put(key, value []byte) error { return e.synced(e.database.Put(key, value)) }

func (e engine) Delete(key []byte) error { return e.synced(e.database.Delete(key)) }

// Write syncs once for the batch, as Pogreb does for each write with its own option.
func (e engine) Write(batch embedded.Batch) error {
	return e.synced(batch.Each(e.database.Put, e.database.Delete))
}

func (e engine) synced(err error) error {
	if err != nil || !e.sync {
		return err
	}
	return e.database.Sync()
}

func (e engine) Facts() map[string]any {
	return map[string]any{
		"sync": e.sync, "sync-interval-millis": e.millis,
	}
}

func (e engine) Reports() map[string]any {
	metrics := e.database.Metrics()
	return map[string]any{"hash-collisions": metrics.HashCollisions.Value()}
}

func (e engine) Close() error { return e.database.Close() }

func open(properties *embedded.Properties) (embedded.Engine, error) {
	folder, sync := properties.Text("dir"), properties.Flag("sync")
	millis := properties.Number("sync-interval-millis")
	if err := properties.Err(); err != nil {
		return nil, err
	}
	database, err := pogreb.Open(folder, &pogreb.Options{
		BackgroundSyncInterval: time.Duration(millis) * time.Millisecond,
	})
	return engine{database, sync, millis}, err
}

func init() { embedded.Register("github.com/akrylysov/pogreb", open) }

func main() { embedded.Loop() }
