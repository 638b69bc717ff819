module kvrank/bolt

go 1.24

require (
	github.com/boltdb/bolt v1.3.1
	kvrank/embedded v0.0.0
)

require golang.org/x/sys v0.30.0 // indirect

replace kvrank/embedded => ../go/embedded
