package embedded

import "bytes"

// IsSuccessor tells whether [from, to) are the keys with the prefix from.
func IsSuccessor(from, to []byte) bool {
	prefix := from
	for len(prefix) > len(to) && prefix[len(prefix)-1] == 0xff {
		prefix = prefix[:len(prefix)-1]
	}
	last := len(to) - 1
	return last >= 0 && len(prefix) == len(to) && bytes.Equal(prefix[:last], to[:last]) &&
		prefix[last] < 0xff && to[last] == prefix[last]+1
}
