// Package embedded lets a Java program call a key-value engine that is written in Go, in its own
// process, through the native methods of its class kvrank.go.GoLibrary.
//
// An engine is a main package that says how it is opened. In a shared library main is never called;
// as a program it is the loop that the calls from Java are compared with:
//
//	func init() { embedded.Register("example.org/engine", open) }
//	func main() { embedded.Loop() }
package embedded

import (
	"errors"
	"unsafe"
)

// NotFound is the length of the value of a key that is not there.
const NotFound = -1

// A Reader reads single records.
type Reader interface {
	// Get copies the value of key into buffer, as much as there is room for, and returns how long it
	// is, or NotFound.
	Get(key, buffer []byte) (length int, err error)
}

// Found is what Get returns for what an engine has answered: a value, which it copies into buffer, or
// an error, of which absent is that of a key that is not there.
func Found[T []byte | string](value T, buffer []byte, err, absent error) (length int, _ error) {
	if err != nil {
		if errors.Is(err, absent) {
			return NotFound, nil
		}
		return 0, err
	}
	copy(buffer, value)
	return len(value), nil
}

// Bytes returns the bytes of text without a copy; they must not be changed.
func Bytes(text string) []byte { return unsafe.Slice(unsafe.StringData(text), len(text)) }

// An Engine is an open database. Many threads call its methods at once. It neither changes nor keeps
// the slices that it is given: they are memory of the caller.
type Engine interface {
	Reader
	// Put inserts or replaces a record.
	Put(key, value []byte) error
	// Delete removes a record, or does nothing if there is none.
	Delete(key []byte) error
	// Write does all writes of a batch, in order.
	Write(batch Batch) error
	// Facts tells the settings that are in force, where it can as the engine itself has them.
	Facts() map[string]any
	// Close waits until all is written. It is called once, when nothing else is.
	Close() error
}

// An Ordered engine has its keys in byte order.
type Ordered interface {
	// Scan visits the records from from on in order, until visit returns false, which it does at to if
	// that is not nil.
	Scan(from, to []byte, visit func(key, value []byte) bool) error
}

// Snapshots are of an engine whose reads are transactions: several go into one.
type Snapshots interface {
	Read(reads func(Reader) error) error
}

// A Counting engine tells what it has done, when nothing is measured.
type Counting interface {
	Reports() map[string]any
}

// A Sampled engine tells totals since it was opened, and gauges, while it is measured; kvrank's
// EngineCounters says what their names mean, and what this may cost.
type Sampled interface {
	Sample() (totals, gauges map[string]any)
}

// Open opens the database that properties describe, and makes it where there is none. The engine that
// is returned with an error is not used.
type Open func(properties *Properties) (Engine, error)

var (
	module string
	open   Open
)

// Register says how the engine of this library is opened, and of which module it is, whose version is
// the engine's; empty for one that needs no module.
func Register(of string, opening Open) { module, open = of, opening }
