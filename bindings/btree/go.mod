module kvrank/btree

go 1.24

require (
	github.com/tidwall/btree v1.8.2
	kvrank/embedded v0.0.0
)

replace kvrank/embedded => ../go/embedded
