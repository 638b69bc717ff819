// goleveldb, LevelDB in Go.
package main

import (
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/filter"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"

	"kvrank/embedded"
)

type engine struct {
	database *leveldb.DB
	options  *opt.Options
	writes   *opt.WriteOptions
}

func (e engine) Get(key, buffer []byte) (int, error) {
	value, err := e.database.Get(key, nil)
	return embedded.Found(value, buffer, err, leveldb.ErrNotFound)
}

func (e engine) Put(key, value []byte) error { return e.database.Put(key, value, e.writes) }

func (e engine) Delete(key []byte) error { return e.database.Delete(key, e.writes) }

func (e engine) Write(batch embedded.Batch) error {
	var writes leveldb.Batch
	batch.Each(
		func(key, value []byte) error { writes.Put(key, value); return nil },
		func(key []byte) error { writes.Delete(key); return nil })
	return e.database.Write(&writes, e.writes)
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	records := e.database.NewIterator(&util.Range{Start: from, Limit: to}, nil)
	defer records.Release()
	for records.Next() && visit(records.Key(), records.Value()) {
	}
	return records.Error()
}

func (e engine) Facts() map[string]any {
	return map[string]any{
		"sync":               e.writes.GetSync() && !e.options.GetNoSync(),
		"block-cache-bytes":  e.options.GetBlockCacheCapacity(),
		"write-buffer-bytes": e.options.GetWriteBuffer(),
		"compression":        e.options.GetCompression().String(),
		"block-bytes":        e.options.GetBlockSize(),
	}
}

func (e engine) Reports() map[string]any {
	var stats leveldb.DBStats
	if err := e.database.Stats(&stats); err != nil {
		return map[string]any{"statistics": err.Error()}
	}
	return map[string]any{
		"bytes-written":      stats.IOWrite,
		"bytes-read":         stats.IORead,
		"write-stops":        stats.WriteDelayCount,
		"write-stall-micros": stats.WriteDelayDuration.Microseconds(),
	}
}

func (e engine) Sample() (totals, gauges map[string]any) {
	var stats leveldb.DBStats
	if e.database.Stats(&stats) != nil {
		return nil, nil // it was closed
	}
	return map[string]any{
			"storage-written-bytes": stats.IOWrite,
			"storage-read-bytes":    stats.IORead,
			"write-stops":           stats.WriteDelayCount,
		}, map[string]any{
			"block-cache-bytes": stats.BlockCacheSize,
			"open-tables":       stats.OpenedTablesCount,
		}
}

func (e engine) Close() error { return e.database.Close() }

var compressions = map[string]opt.Compression{
	"none": opt.NoCompression, "snappy": opt.SnappyCompression,
}

func open(properties *embedded.Properties) (embedded.Engine, error) {
	folder, sync := properties.Text("dir"), properties.Flag("sync")
	bits := properties.Number("bloom-bits")
	options := &opt.Options{
		BlockCacheCapacity: properties.Number("block-cache-bytes"),
		WriteBuffer:        properties.Number("write-buffer-bytes"),
		Compression:        embedded.Choose(properties, "compression", compressions),
	}
	if bits > 0 {
		options.Filter = filter.NewBloomFilter(bits)
	}
	if err := properties.Err(); err != nil {
		return nil, err
	}
	database, err := leveldb.OpenFile(folder, options)
	return engine{database, options, &opt.WriteOptions{Sync: sync}}, err
}

func init() { embedded.Register("github.com/syndtr/goleveldb", open) }

func main() { embedded.Loop() }
