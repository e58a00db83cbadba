// Package cache keeps bytes of files, so that a later reader of the same state of a file
// does not read them again.
//
// A Cache is found by Key: the identity of the file, and a range of its bytes. A file that
// is written again has another identity, so its old bytes are never found, and are dropped
// in time. LRU is a Cache in memory, Folder one in files that processes share; hosts may have
// others.
//
// Two kinds of sources read through a Cache. Source keeps ranges as they are requested: package
// scanner uses it for footers, indexes and Bloom filters (scanner.OpenOptions). Blocks keep all
// that is read, in blocks of one size, which begin at the file's end:
//
//	file       |   block 3  |   block 2  |   block 1  |   block 0  |   0 has the footer
//	requested            [a]     [  b  ]                    [c]
//	read                [  blocks 3 and 2, as one ]    [  block 0  ]
//
// The smallest request reads a block: at 100 MB/s, 256 KiB take 2.6 ms beside the 30 ms of a
// request to a store of objects. For local files, the cache of the operating system is better.
//
// What never comes here: what the bytes mean, retries, goroutines.
package cache
