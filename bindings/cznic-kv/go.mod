module kvrank/cznic-kv

go 1.24

require (
	kvrank/embedded v0.0.0
	modernc.org/kv v1.0.3
)

require (
	github.com/edsrzf/mmap-go v1.0.0 // indirect
	github.com/remyoudompheng/bigfft v0.0.0-20200410134404-eec4a21b6bb0 // indirect
	golang.org/x/sys v0.0.0-20201119102817-f84b799fce68 // indirect
	modernc.org/fileutil v1.0.0 // indirect
	modernc.org/internal v1.0.0 // indirect
	modernc.org/lldb v1.0.0 // indirect
	modernc.org/mathutil v1.1.1 // indirect
	modernc.org/sortutil v1.1.0 // indirect
	modernc.org/zappy v1.0.1 // indirect
)

replace kvrank/embedded => ../go/embedded
