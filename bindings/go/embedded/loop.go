package embedded

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Loop is what an engine does without kvrank: it reads keys in the order of a file on one thread,
// for some seconds to warm up and for some that count, and prints how many it read per second; every
// key has to be there.
//
//	ENGINE KEYS KEY-BYTES WARMUP-SECONDS SECONDS [PROPERTY=VALUE]...
//
// KEYS is a file of keys, one behind the other, which is read again from its beginning when it is at
// its end.
func Loop() {
	if err := loop(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func loop(arguments []string) error {
	if len(arguments) < 4 {
		return fmt.Errorf("usage: KEYS KEY-BYTES WARMUP-SECONDS SECONDS [PROPERTY=VALUE]...")
	}
	keys, err := os.ReadFile(arguments[0])
	if err != nil {
		return err
	}
	var numbers [3]int
	for i := range numbers {
		if numbers[i], err = strconv.Atoi(arguments[i+1]); err != nil {
			return err
		}
	}
	values := map[string]string{}
	for _, each := range arguments[4:] {
		name, value, _ := strings.Cut(each, "=")
		values[name] = value
	}
	engine, err := open(&Properties{values: values})
	if err != nil {
		return err
	}
	for _, seconds := range numbers[1:] {
		perSecond, err := reads(engine, keys, numbers[0], time.Duration(seconds)*time.Second)
		if err != nil {
			return err
		}
		fmt.Printf("%.0f reads/s\n", perSecond)
	}
	return engine.Close()
}

// reads looks at the clock once in a thousand reads.
func reads(engine Engine, keys []byte, size int, duration time.Duration) (perSecond float64, err error) {
	buffer := make([]byte, 1<<20)
	count, at := 0, 0
	begin := time.Now()
	for time.Since(begin) < duration {
		for range 1000 {
			if at == len(keys) {
				at = 0
			}
			length, err := engine.Get(keys[at:at+size], buffer)
			if err != nil {
				return 0, err
			}
			if length == NotFound {
				return 0, fmt.Errorf("the key '%s' is not there", keys[at:at+size])
			}
			count++
			at += size
		}
	}
	return float64(count) / time.Since(begin).Seconds(), nil
}
