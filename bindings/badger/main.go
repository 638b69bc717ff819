// Badger, a log-structured merge tree whose reads and writes are transactions.
package main

import (
	"math"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"kvrank/embedded"
)

type engine struct{ database *badger.DB }

type reader struct{ tx *badger.Txn }

func (r reader) Get(key, buffer []byte) (int, error) {
	var value []byte
	item, err := r.tx.Get(key)
	if err == nil {
		// In the buffer, unless it is too small.
		value, err = item.ValueCopy(buffer[:0])
	}
	return embedded.Found(value, buffer, err, badger.ErrKeyNotFound)
}

func (e engine) Get(key, buffer []byte) (int, error) {
	tx := e.database.NewTransaction(false)
	defer tx.Discard()
	return reader{tx}.Get(key, buffer)
}

func (e engine) Read(reads func(embedded.Reader) error) error {
	return e.database.View(func(tx *badger.Txn) error { return reads(reader{tx}) })
}

func (e engine) Put(key, value []byte) error {
	return e.database.Update(func(tx *badger.Txn) error { return tx.Set(key, value) })
}

func (e engine) Delete(key []byte) error {
	return e.database.Update(func(tx *badger.Txn) error { return tx.Delete(key) })
}

// Write uses Badger's own way for many writes, which makes several transactions of one that would be
// too large.
func (e engine) Write(batch embedded.Batch) error {
	writes := e.database.NewWriteBatch()
	defer writes.Cancel()
	put := func(key, value []byte, seconds uint32) error {
		entry := badger.NewEntry(key, value)
		if seconds > 0 {
			entry = entry.WithTTL(time.Duration(seconds) * time.Second)
		}
		return writes.SetEntry(entry)
	}
	if err := batch.EachExpiring(put, writes.Delete); err != nil {
		return err
	}
	return writes.Flush()
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	return e.database.View(func(tx *badger.Txn) error {
		how := badger.DefaultIteratorOptions
		// It starts a goroutine for each value, also for those that stand beside their keys.
		how.PrefetchValues = false
		if embedded.IsSuccessor(from, to) {
			how.Prefix = from
		}
		records := tx.NewIterator(how)
		defer records.Close()
		for records.Seek(from); records.Valid(); records.Next() {
			item := records.Item()
			more := false
			err := item.Value(func(value []byte) error {
				more = visit(item.Key(), value)
				return nil
			})
			if err != nil || !more {
				return err
			}
		}
		return nil
	})
}

func (e engine) Facts() map[string]any {
	options := e.database.Opts()
	return map[string]any{
		"sync":                 options.SyncWrites,
		"block-cache-bytes":    options.BlockCacheSize,
		"write-buffer-bytes":   options.MemTableSize,
		"compression":          embedded.Word(compressions, options.Compression),
		"bloom-false-positive": options.BloomFalsePositive,
		"value-threshold":      options.ValueThreshold,
		"detect-conflicts":     options.DetectConflicts,
	}
}

func (e engine) Close() error { return e.database.Close() }

var compressions = map[string]options.CompressionType{
	"none": options.None, "snappy": options.Snappy, "zstd": options.ZSTD,
}

func open(properties *embedded.Properties) (embedded.Engine, error) {
	settings := badger.DefaultOptions(properties.Text("dir")).
		WithSyncWrites(properties.Flag("sync")).
		WithBlockCacheSize(int64(properties.Number("block-cache-bytes"))).
		WithMemTableSize(int64(properties.Number("write-buffer-bytes"))).
		WithCompression(embedded.Choose(properties, "compression", compressions)).
		WithLoggingLevel(badger.WARNING)
	if bits := properties.Number("bloom-bits"); bits == 0 {
		settings = settings.WithBloomFalsePositive(0)
	} else {
		// Badger takes the bits that a filter of this quality needs, rounded up.
		settings = settings.WithBloomFalsePositive(math.Exp(-(float64(bits) - 0.5) * math.Ln2 * math.Ln2))
	}
	if err := properties.Err(); err != nil {
		return nil, err
	}
	database, err := badger.Open(settings)
	return engine{database}, err
}

func init() { embedded.Register("github.com/dgraph-io/badger/v4", open) }

func main() { embedded.Loop() }
