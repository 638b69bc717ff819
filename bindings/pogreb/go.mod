module kvrank/pogreb

go 1.24

require (
	github.com/akrylysov/pogreb v0.10.2
	kvrank/embedded v0.0.0
)

replace kvrank/embedded => ../go/embedded
