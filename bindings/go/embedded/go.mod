module kvrank/embedded

go 1.24
