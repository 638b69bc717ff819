package embedded

import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A call that does not succeed returns failed, or refused if a property is wrong, and its reason is in the
// memory for its result, or unsupported.
const (
	failed      = -2
	unsupported = -3
	refused     = -4
)

const totalMark = "+"

// The databases that were opened, by their handles; nil once they are closed. Appended to by copying.
var (
	databases atomic.Pointer[[]Engine]
	opening   sync.Mutex
)

var firstPanic sync.Once

func engine(handle int32) Engine { return (*databases.Load())[handle] }

func memory(address unsafe.Pointer, length int32) []byte {
	return unsafe.Slice((*byte)(address), length)
}

func optional(address unsafe.Pointer, length int32) []byte {
	if length < 0 {
		return nil
	}
	return memory(address, length)
}

// ends a call: what went wrong becomes its result. A panic of the engine in this goroutine is an error
// like others; its first stack trace goes to the log.
func end(err *error, result *int32, out unsafe.Pointer, capacity int32) {
	if cause := recover(); cause != nil {
		*err = fmt.Errorf("panic: %v", cause)
		firstPanic.Do(func() { fmt.Fprintf(os.Stderr, "%v\n%s", *err, debug.Stack()) })
	}
	if *err != nil {
		text := (*err).Error()
		reason := results{memory: memory(out, capacity)}
		reason.add([]byte(text[:max(0, min(len(text), int(capacity)-4))]))
		*result = failed
		if errors.As(*err, &propertyError{}) {
			*result = refused
		}
	}
}

// open(properties) returns a handle.
//
//export Java_kvrank_go_GoLibrary_open
func Java_kvrank_go_GoLibrary_open(
	env, class unsafe.Pointer, properties unsafe.Pointer, length int32, out unsafe.Pointer, capacity int32,
) (handle int32) {
	var err error
	defer end(&err, &handle, out, capacity)
	values := map[string]string{}
	for rest := Batch(memory(properties, length)); len(rest) > 0; {
		var name, value []byte
		name, rest = rest.part()
		value, rest = rest.part()
		values[string(name)] = string(value)
	}
	opened, err := open(&Properties{values: values})
	if err != nil {
		return
	}
	opening.Lock()
	defer opening.Unlock()
	var all []Engine
	if before := databases.Load(); before != nil {
		all = append(all, *before...)
	}
	all = append(all, opened)
	databases.Store(&all)
	return int32(len(all) - 1)
}

//export Java_kvrank_go_GoLibrary_close
func Java_kvrank_go_GoLibrary_close(
	env, class unsafe.Pointer, handle int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	opening.Lock()
	defer opening.Unlock()
	all := append([]Engine(nil), *databases.Load()...)
	closed := all[handle]
	all[handle] = nil
	databases.Store(&all)
	err = closed.Close()
	return
}

// get(key) returns the length of the value, which is in out if there is room, or NotFound.
//
//export Java_kvrank_go_GoLibrary_get
func Java_kvrank_go_GoLibrary_get(
	env, class unsafe.Pointer,
	handle int32, key unsafe.Pointer, length int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	found, err := engine(handle).Get(memory(key, length), memory(out, capacity))
	return total(found, &err)
}

//export Java_kvrank_go_GoLibrary_put
func Java_kvrank_go_GoLibrary_put(
	env, class unsafe.Pointer,
	handle int32, key unsafe.Pointer, keyLength int32, value unsafe.Pointer, valueLength int32,
	out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	err = engine(handle).Put(memory(key, keyLength), memory(value, valueLength))
	return
}

//export Java_kvrank_go_GoLibrary_delete
func Java_kvrank_go_GoLibrary_delete(
	env, class unsafe.Pointer,
	handle int32, key unsafe.Pointer, length int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	err = engine(handle).Delete(memory(key, length))
	return
}

//export Java_kvrank_go_GoLibrary_write
func Java_kvrank_go_GoLibrary_write(
	env, class unsafe.Pointer,
	handle int32, batch unsafe.Pointer, length int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	err = engine(handle).Write(memory(batch, length))
	return
}

// readAll(keys), of which each is a length and its bytes, returns how many bytes its results have: for
// each key the length of the value, or NotFound, and the value. If that is more than there is room for,
// the results are not whole.
//
//export Java_kvrank_go_GoLibrary_readAll
func Java_kvrank_go_GoLibrary_readAll(
	env, class unsafe.Pointer,
	handle int32, keys unsafe.Pointer, length int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	found := results{memory: memory(out, capacity)}
	reads := func(reader Reader) error {
		for rest := Batch(memory(keys, length)); len(rest) > 0; {
			var key []byte
			key, rest = rest.part()
			if err := found.get(reader, key); err != nil {
				return err
			}
		}
		return nil
	}
	if snapshots, are := engine(handle).(Snapshots); are {
		err = snapshots.Read(reads)
	} else {
		err = reads(engine(handle))
	}
	return total(found.length, &err)
}

// scan(from, to, limit) returns how many bytes its results have, which are records in the form of a
// Batch; there is no upper bound if toLength is below zero. If that is more than there is room for, the
// results are not whole.
//
//export Java_kvrank_go_GoLibrary_scan
func Java_kvrank_go_GoLibrary_scan(
	env, class unsafe.Pointer,
	handle int32, from unsafe.Pointer, fromLength int32, to unsafe.Pointer, toLength int32, limit int32,
	out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	ordered, is := engine(handle).(Ordered)
	if !is {
		return unsupported
	}
	found := results{memory: memory(out, capacity)}
	left, end := limit, optional(to, toLength)
	err = ordered.Scan(memory(from, fromLength), end, func(key, value []byte) bool {
		if end != nil && bytes.Compare(key, end) >= 0 {
			return false
		}
		found.add(key)
		found.add(value)
		left--
		return left > 0
	})
	return total(found.length, &err)
}

// facts returns how many bytes its results have, which are names and values in the form of a Batch.
//
//export Java_kvrank_go_GoLibrary_facts
func Java_kvrank_go_GoLibrary_facts(
	env, class unsafe.Pointer, handle int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	facts := buildFacts()
	maps.Copy(facts, engine(handle).Facts())
	found := results{memory: memory(out, capacity)}
	found.addAll(facts)
	return total(found.length, &err)
}

// reports returns how many bytes its results have, which are names and values in the form of a Batch.
//
//export Java_kvrank_go_GoLibrary_reports
func Java_kvrank_go_GoLibrary_reports(
	env, class unsafe.Pointer, handle int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	reports := runtimeReports()
	if counting, is := engine(handle).(Counting); is {
		maps.Copy(reports, counting.Reports())
	}
	found := results{memory: memory(out, capacity)}
	found.addAll(reports)
	return total(found.length, &err)
}

// sample returns how many bytes its results have, which are names and values in the form of a Batch; the
// name of a total begins with totalMark.
//
//export Java_kvrank_go_GoLibrary_sample
func Java_kvrank_go_GoLibrary_sample(
	env, class unsafe.Pointer, handle int32, out unsafe.Pointer, capacity int32,
) (result int32) {
	var err error
	defer end(&err, &result, out, capacity)
	found := results{memory: memory(out, capacity)}
	if sampled, is := engine(handle).(Sampled); is {
		totals, gauges := sampled.Sample()
		for name, value := range totals {
			gauges[totalMark+name] = value
		}
		found.addAll(gauges)
	}
	return total(found.length, &err)
}
