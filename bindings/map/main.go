// A hash map of Go's, in memory, as the engine "map" of kvbench.
package main

import (
	"kvrank/embedded"
	"kvrank/embedded/memory"
)

type table map[string][]byte

func (t table) Get(key string) ([]byte, bool) {
	value, there := t[key]
	return value, there
}

func (t table) Put(key string, value []byte) { t[key] = value }

func (t table) Delete(key string) { delete(t, key) }

func init() {
	embedded.Register("", func(properties *embedded.Properties) (embedded.Engine, error) {
		return memory.Open(table{}, properties)
	})
}

func main() { embedded.Loop() }
