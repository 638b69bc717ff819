package memory

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"kvrank/embedded"
)

// head is the checksum and the length of a batch.
const head = 8

// A log is the batches that were written, each with one system call, and synced where that is asked
// for before it is acknowledged.
type log struct {
	file   *os.File
	sync   bool
	buffer []byte
	err    error
}

// openLog gives what the log in folder holds to replay, and drops a batch at its end that is not
// whole: nobody was told that it was written.
func openLog(folder string, sync bool, replay func(embedded.Batch)) (*log, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(folder, "append.log"), os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	whole, err := read(bufio.NewReaderSize(file, 1<<20), replay)
	if err == nil {
		err = file.Truncate(whole)
	}
	if err == nil {
		_, err = file.Seek(whole, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return &log{file: file, sync: sync}, nil
}

func read(from io.Reader, replay func(embedded.Batch)) (whole int64, err error) {
	var start [head]byte
	for {
		_, err := io.ReadFull(from, start[:])
		if err == nil {
			batch := make([]byte, binary.LittleEndian.Uint32(start[4:]))
			if _, err = io.ReadFull(from, batch); err == nil {
				if crc32.ChecksumIEEE(batch) != binary.LittleEndian.Uint32(start[:]) {
					return whole, nil
				}
				replay(batch)
				whole += int64(head + len(batch))
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return whole, nil
		}
		if err != nil {
			return whole, err
		}
	}
}

// append writes a batch. After an error nobody knows where the log ends, and it takes no more.
func (l *log) append(batch embedded.Batch) error {
	if l.err != nil {
		return l.err
	}
	l.buffer = binary.LittleEndian.AppendUint32(l.buffer[:0], crc32.ChecksumIEEE(batch))
	l.buffer = binary.LittleEndian.AppendUint32(l.buffer, uint32(len(batch)))
	l.buffer = append(l.buffer, batch...)
	if _, l.err = l.file.Write(l.buffer); l.err == nil && l.sync {
		l.err = l.file.Sync()
	}
	return l.err
}

func (l *log) close() error { return errors.Join(l.file.Sync(), l.file.Close()) }
