package embedded

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// A propertyError says what is wrong with a property.
type propertyError struct{ error }

// Properties are those of the engine's binding. The first one that is missing or wrong is the error, or
// one that was not asked for.
type Properties struct {
	values map[string]string
	asked  []string
	err    error
}

// Text returns a property.
func (p *Properties) Text(name string) string {
	value, there := p.values[name]
	p.asked = append(p.asked, name)
	if !there {
		p.fail("the property '%s' is missing", name)
	}
	return value
}

// Folder returns a property that is a folder, which is made if it is not there.
func (p *Properties) Folder(name string) string {
	folder := p.Text(name)
	if err := os.MkdirAll(folder, 0o777); err != nil && p.err == nil {
		p.err = err
	}
	return folder
}

// Choice returns a property that is one of several words.
func (p *Properties) Choice(name string, words ...string) string {
	value := p.Text(name)
	if !slices.Contains(words, value) {
		p.fail("the property '%s' is '%s', not one of %s", name, value, strings.Join(words, ", "))
	}
	return value
}

// Choose returns what stands for the word that a property is, or nothing if none does.
func Choose[T any](p *Properties, name string, of map[string]T) T {
	return of[p.Choice(name, slices.Sorted(maps.Keys(of))...)]
}

// Word returns the word that stands for a value, which is the fact of a property that was chosen.
func Word[T comparable](of map[string]T, value T) string {
	for word, each := range of {
		if each == value {
			return word
		}
	}
	return "unknown"
}

// Flag returns a property that is true or false.
func (p *Properties) Flag(name string) bool {
	return p.Choice(name, "true", "false") == "true"
}

// Number returns a property that is a whole number, not below zero.
func (p *Properties) Number(name string) int {
	value := p.Text(name)
	number, err := strconv.Atoi(value)
	if err != nil || number < 0 {
		p.fail("the property '%s' is '%s', not a whole number from 0 on", name, value)
	}
	return number
}

// Err returns what is wrong with the properties, once all were asked for. An engine in memory need not
// ask for its folder.
func (p *Properties) Err() error {
	for _, name := range slices.Sorted(maps.Keys(p.values)) {
		if name != "dir" && !slices.Contains(p.asked, name) {
			slices.Sort(p.asked)
			p.fail("there is no property '%s'; known are %s", name, strings.Join(p.asked, ", "))
		}
	}
	return p.err
}

func (p *Properties) fail(format string, values ...any) {
	if p.err == nil {
		p.err = propertyError{fmt.Errorf(format, values...)}
	}
}
