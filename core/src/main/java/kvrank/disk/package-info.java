/** A process that is a disk with a volatile write cache, whose power can be cut. */
package kvrank.disk;
