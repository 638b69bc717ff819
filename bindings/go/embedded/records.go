package embedded

import (
	"encoding/binary"
	"fmt"
	"math"
)

// As lengths are written.
const (
	deleted  = 1<<32 + NotFound
	expiring = 1<<32 - 2
)

// A Batch is writes, one after the other in memory: the length of the key, the key, the length of
// the value, the value. Lengths have 32 bits in the machine's byte order. Of a key alone that is to be
// deleted the other length is NotFound. Before the length of a value that the engine is to forget
// stand the number expiring and the seconds after which.
type Batch []byte

// Each does the writes until one fails.
func (b Batch) Each(put func(key, value []byte) error, remove func(key []byte) error) error {
	return b.EachExpiring(func(key, value []byte, _ uint32) error { return put(key, value) }, remove)
}

// EachExpiring is Each for an engine that forgets records after some seconds, which are 0 for never.
func (b Batch) EachExpiring(
	put func(key, value []byte, seconds uint32) error, remove func(key []byte) error,
) error {
	for len(b) > 0 {
		var key, value []byte
		var seconds uint32
		key, b = b.part()
		if binary.NativeEndian.Uint32(b) == expiring {
			seconds, b = binary.NativeEndian.Uint32(b[4:]), b[8:]
		}
		value, b = b.part()
		err := error(nil)
		if value != nil {
			err = put(key, value, seconds)
		} else {
			err = remove(key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Put returns the batch with one more write.
func (b Batch) Put(key, value []byte) Batch {
	return b.add(key).add(value)
}

// PutExpiring returns the batch with one more write of what is to be forgotten after some seconds.
func (b Batch) PutExpiring(key, value []byte, seconds uint32) Batch {
	b = binary.NativeEndian.AppendUint32(b.add(key), expiring)
	return Batch(binary.NativeEndian.AppendUint32(b, seconds)).add(value)
}

// Delete returns the batch with one more deletion.
func (b Batch) Delete(key []byte) Batch {
	return binary.NativeEndian.AppendUint32(b.add(key), deleted)
}

func (b Batch) add(part []byte) Batch {
	return append(binary.NativeEndian.AppendUint32(b, uint32(len(part))), part...)
}

func (b Batch) part() ([]byte, Batch) {
	length := int32(binary.NativeEndian.Uint32(b))
	rest := b[4:]
	if length == NotFound {
		return nil, rest
	}
	return rest[:length:length], rest[length:]
}

// results are written to memory of the caller, in the form of a Batch. What there is no room for is
// only counted, so that the caller knows how much to ask again with.
type results struct {
	memory []byte
	length int
}

func (r *results) add(bytes []byte) {
	r.addLength(len(bytes))
	if r.length+len(bytes) <= len(r.memory) {
		copy(r.memory[r.length:], bytes)
	}
	r.length += len(bytes)
}

func (r *results) addLength(length int) {
	if r.length+4 <= len(r.memory) {
		binary.NativeEndian.PutUint32(r.memory[r.length:], uint32(length))
	}
	r.length += 4
}

func (r *results) addAll(values map[string]any) {
	for name, value := range values {
		r.add([]byte(name))
		r.add(fmt.Append(nil, value))
	}
}

// get reads straight into memory.
func (r *results) get(reader Reader, key []byte) error {
	value := r.memory[min(r.length+4, len(r.memory)):]
	length, err := reader.Get(key, value)
	if err != nil {
		return err
	}
	r.addLength(length)
	r.length += max(length, 0)
	return nil
}

// total returns the length of results as Java takes it, unless there is an error already.
func total(length int, err *error) int32 {
	if *err == nil && length > math.MaxInt32 {
		*err = fmt.Errorf("one call returns %d bytes, which is more than %d", length, math.MaxInt32)
	}
	return int32(length)
}
