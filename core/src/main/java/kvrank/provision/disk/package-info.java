/** Disks with a volatile write cache, for power cuts: their processes, mounts and removal. */
package kvrank.provision.disk;
