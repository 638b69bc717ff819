// Sniper, a hash index in memory over files of records.
package main

import (
	"time"

	"github.com/recoilme/sniper"

	"kvrank/embedded"
)

type engine struct {
	store  *sniper.Store
	millis int // between two syncs
}

func (e engine) Get(key, buffer []byte) (int, error) {
	value, err := e.store.Get(key)
	return embedded.Found(value, buffer, err, sniper.ErrNotFound)
}

func (e engine) Put(key, value []byte) error { return e.store.Set(key, value, 0) }

func (e engine) Delete(key []byte) error {
	if _, err := e.store.Delete(key); err != sniper.ErrNotFound {
		return err
	}
	return nil
}

func (e engine) Write(batch embedded.Batch) error {
	return batch.EachExpiring(func(key, value []byte, seconds uint32) error {
		if seconds > 0 {
			seconds += uint32(time.Now().Unix())
		}
		return e.store.Set(key, value, seconds)
	}, e.Delete)
}

func (e engine) Facts() map[string]any {
	return map[string]any{"sync": "false", "sync-interval-millis": e.millis}
}

// Reports counts what is past its time to live as well.
func (e engine) Reports() map[string]any { return map[string]any{"records": e.store.Count()} }

func (e engine) Close() error { return e.store.Close() }

func open(properties *embedded.Properties) (embedded.Engine, error) {
	folder, millis := properties.Text("dir"), properties.Number("sync-interval-millis")
	if err := properties.Err(); err != nil {
		return nil, err
	}
	store, err := sniper.Open(
		sniper.Dir(folder), sniper.SyncInterval(time.Duration(millis)*time.Millisecond))
	return engine{store, millis}, err
}

func init() { embedded.Register("github.com/recoilme/sniper", open) }

func main() { embedded.Loop() }
