// Package memory makes an engine of a table in memory: with a log that is read when the engine is
// opened again, or without.
package memory

import (
	"slices"
	"sync"
	"unsafe"

	"kvrank/embedded"
)

// A Table has the values by their keys. It is locked while it is used.
type Table interface {
	Get(key string) (value []byte, there bool)
	Put(key string, value []byte)
	Delete(key string)
}

// An Engine is a table that many threads use, and its log, if it has one.
type Engine struct {
	table Table
	using sync.RWMutex

	// Held from the log's write to the table's, so that both have the same order.
	writing sync.Mutex
	log     *log
	batch   embedded.Batch
}

// Open reads the properties dir, log (append or none) and sync.
func Open(table Table, properties *embedded.Properties) (*Engine, error) {
	folder, sync := properties.Text("dir"), properties.Flag("sync")
	logs := properties.Choice("log", "append", "none") == "append"
	if err := properties.Err(); err != nil {
		return nil, err
	}
	engine := &Engine{table: table}
	if logs {
		var err error
		if engine.log, err = openLog(folder, sync, engine.apply); err != nil {
			return nil, err
		}
	}
	return engine, nil
}

func (e *Engine) Get(key, buffer []byte) (int, error) {
	e.using.RLock()
	defer e.using.RUnlock()
	value, there := e.table.Get(unsafe.String(unsafe.SliceData(key), len(key)))
	if !there {
		return embedded.NotFound, nil
	}
	copy(buffer, value)
	return len(value), nil
}

func (e *Engine) Put(key, value []byte) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	e.batch = e.batch[:0].Put(key, value)
	return e.write(e.batch)
}

func (e *Engine) Delete(key []byte) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	e.batch = e.batch[:0].Delete(key)
	return e.write(e.batch)
}

func (e *Engine) Write(batch embedded.Batch) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	return e.write(batch)
}

func (e *Engine) write(batch embedded.Batch) error {
	if e.log != nil {
		if err := e.log.append(batch); err != nil {
			return err
		}
	}
	e.apply(batch)
	return nil
}

func (e *Engine) apply(batch embedded.Batch) {
	e.using.Lock()
	defer e.using.Unlock()
	batch.Each(e.put, e.remove)
}

func (e *Engine) put(key, value []byte) error {
	e.table.Put(string(key), slices.Clone(value))
	return nil
}

func (e *Engine) remove(key []byte) error {
	e.table.Delete(string(key))
	return nil
}

// View looks at the table, which nobody changes meanwhile.
func (e *Engine) View(looks func()) {
	e.using.RLock()
	defer e.using.RUnlock()
	looks()
}

func (e *Engine) Facts() map[string]any {
	if e.log == nil {
		return map[string]any{"log": "none", "sync": "false"}
	}
	return map[string]any{"log": "append", "sync": e.log.sync}
}

func (e *Engine) Close() error {
	if e.log == nil {
		return nil
	}
	return e.log.close()
}
