module kvrank/goleveldb

go 1.24

require (
	github.com/syndtr/goleveldb v1.0.0
	kvrank/embedded v0.0.0
)

require github.com/golang/snappy v0.0.0-20180518054509-2e65f85255db // indirect

replace kvrank/embedded => ../go/embedded
