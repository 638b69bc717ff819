// Pebble, the log-structured merge tree of CockroachDB, modelled on RocksDB.
package main

import (
	"errors"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/bloom"
	"github.com/cockroachdb/pebble/v2/sstable/block"

	"kvrank/embedded"
)

type engine struct {
	database *pebble.DB
	options  *pebble.Options
	writes   *pebble.WriteOptions
}

func (e engine) Get(key, buffer []byte) (int, error) {
	value, closer, err := e.database.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return embedded.NotFound, nil
	}
	if err != nil {
		return 0, err
	}
	copy(buffer, value)
	return len(value), closer.Close()
}

func (e engine) Put(key, value []byte) error { return e.database.Set(key, value, e.writes) }

func (e engine) Delete(key []byte) error { return e.database.Delete(key, e.writes) }

func (e engine) Write(batch embedded.Batch) error {
	writes := e.database.NewBatch()
	defer writes.Close()
	err := batch.Each(
		func(key, value []byte) error { return writes.Set(key, value, nil) },
		func(key []byte) error { return writes.Delete(key, nil) })
	if err != nil {
		return err
	}
	return writes.Commit(e.writes)
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	records, err := e.database.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: to})
	if err != nil {
		return err
	}
	for more := records.First(); more; {
		value, err := records.ValueAndErr()
		if err != nil {
			return errors.Join(err, records.Close())
		}
		more = visit(records.Key(), value) && records.Next()
	}
	return records.Close()
}

func (e engine) Facts() map[string]any {
	return map[string]any{
		"sync":               e.writes.Sync,
		"disable-wal":        e.options.DisableWAL,
		"block-cache-bytes":  e.options.CacheSize,
		"write-buffer-bytes": e.options.MemTableSize,
		"compression":        e.options.Levels[6].Compression().Name,
		"filter":             e.options.Levels[0].FilterPolicy.Name(),
		"format":             e.database.FormatMajorVersion().String(),
	}
}

func (e engine) Reports() map[string]any {
	metrics := e.database.Metrics()
	return map[string]any{
		"user-bytes-written":  metrics.WAL.BytesIn,
		"wal-bytes-written":   metrics.WAL.BytesWritten,
		"table-bytes-written": written(metrics) - metrics.WAL.BytesWritten,
		"flushes":             metrics.Flush.Count,
		"compactions":         metrics.Compact.Count,
		"pending-bytes":       metrics.Compact.EstimatedDebt,
		"pending-work":        metrics.Compact.NumInProgress + metrics.Flush.NumInProgress,
		"block-cache-hits":    metrics.BlockCache.Hits,
		"block-cache-misses":  metrics.BlockCache.Misses,
	}
}

// written returns the bytes of the log and of tables; a compaction's only once it has ended.
func written(metrics *pebble.Metrics) uint64 {
	total := metrics.Total() // its flushed bytes include the log
	return total.TableBytesFlushed + total.TableBytesCompacted
}

func (e engine) Sample() (totals, gauges map[string]any) {
	metrics := e.database.Metrics()
	return map[string]any{
			"storage-written-bytes": written(metrics),
			"flushes":               metrics.Flush.Count,
			"compactions":           metrics.Compact.Count,
			"block-cache-hits":      metrics.BlockCache.Hits,
			"block-cache-misses":    metrics.BlockCache.Misses,
		}, map[string]any{
			"pending-compaction-bytes": metrics.Compact.EstimatedDebt,
			"memtable-bytes":           metrics.MemTable.Size,
			"running-flushes":          metrics.Flush.NumInProgress,
			"running-compactions":      metrics.Compact.NumInProgress,
		}
}

func (e engine) Close() error { return e.database.Close() }

var compressions = map[string]*block.CompressionProfile{
	"none": block.NoCompression, "snappy": block.SnappyCompression, "zstd": block.ZstdCompression,
}

func open(properties *embedded.Properties) (embedded.Engine, error) {
	folder, sync := properties.Text("dir"), properties.Flag("sync")
	cache, buffer := properties.Number("block-cache-bytes"), properties.Number("write-buffer-bytes")
	compression := embedded.Choose(properties, "compression", compressions)
	bits, noLog := properties.Number("bloom-bits"), properties.Flag("disable-wal")
	if err := properties.Err(); err != nil {
		return nil, err
	}
	options := &pebble.Options{
		CacheSize: int64(cache), MemTableSize: uint64(buffer), DisableWAL: noLog,
	}
	options.ApplyCompressionSettings(func() pebble.DBCompressionSettings {
		return pebble.UniformDBCompressionSettings(compression)
	})
	if bits > 0 {
		options.Levels[0].FilterPolicy = bloom.FilterPolicy(bits)
	}
	options.EnsureDefaults()
	writes := pebble.NoSync
	if sync {
		writes = pebble.Sync
	}
	database, err := pebble.Open(folder, options)
	return engine{database, options, writes}, err
}

func init() { embedded.Register("github.com/cockroachdb/pebble/v2", open) }

func main() { embedded.Loop() }
