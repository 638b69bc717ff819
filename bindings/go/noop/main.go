// No engine: a call returns at once, which is for what a call costs, or a write fails in the way that
// the property fault names, which is for what is left of a run then.
package main

import (
	"errors"
	"unsafe"

	"kvrank/embedded"
)

type engine struct{ fault string }

func (e engine) Get(key, buffer []byte) (int, error) { return 0, nil }

func (e engine) Put(key, value []byte) error {
	switch e.fault {
	case "none":
		return nil
	case "error":
		return errors.New("deliberate")
	case "panic":
		panic("deliberate")
	case "nil":
		var nothing *int
		*nothing = 1
	case "address":
		*(*int)(unsafe.Add(unsafe.Pointer(nil), 1<<40)) = 1
	case "goroutine":
		go panic("deliberate")
		select {}
	}
	return nil
}

func (e engine) Delete(key []byte) error { return nil }

func (e engine) Write(batch embedded.Batch) error { return batch.Each(e.Put, e.Delete) }

func (e engine) Facts() map[string]any { return map[string]any{"stores": "nothing"} }

func (e engine) Close() error { return nil }

func open(properties *embedded.Properties) (embedded.Engine, error) {
	fault := properties.Choice("fault", "none", "error", "panic", "nil", "address", "goroutine")
	return engine{fault}, properties.Err()
}

func init() { embedded.Register("", open) }

func main() { embedded.Loop() }
