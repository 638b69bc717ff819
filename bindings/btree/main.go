// A B-tree in memory, as the engine "btree" of kvbench.
package main

import (
	"github.com/tidwall/btree"

	"kvrank/embedded"
	"kvrank/embedded/memory"
)

type table struct{ btree.Map[string, []byte] }

func (t *table) Put(key string, value []byte) { t.Set(key, value) }

func (t *table) Delete(key string) { t.Map.Delete(key) }

type engine struct {
	*memory.Engine
	table *table
}

func (e engine) Scan(from, to []byte, visit func(key, value []byte) bool) error {
	e.View(func() {
		e.table.Ascend(string(from), func(key string, value []byte) bool {
			return visit(embedded.Bytes(key), value)
		})
	})
	return nil
}

func init() {
	embedded.Register("github.com/tidwall/btree",
		func(properties *embedded.Properties) (embedded.Engine, error) {
			table := &table{}
			opened, err := memory.Open(table, properties)
			return engine{opened, table}, err
		})
}

func main() { embedded.Loop() }
