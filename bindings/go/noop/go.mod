module kvrank/noop

go 1.24

require kvrank/embedded v0.0.0

replace kvrank/embedded => ../embedded
