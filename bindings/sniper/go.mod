module kvrank/sniper

go 1.24

require (
	github.com/recoilme/sniper v0.4.1
	kvrank/embedded v0.0.0
)

require (
	github.com/recoilme/sortedset v0.0.0-20200825100557-fdc6fff0bc87 // indirect
	github.com/spaolacci/murmur3 v1.1.0 // indirect
	github.com/tidwall/interval v0.0.0-20191207210631-da4d74c2f07b // indirect
)

replace kvrank/embedded => ../go/embedded
