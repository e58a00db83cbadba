// Package decrypt opens footers, and decrypts the modules of files that are encrypted: the
// format's modular encryption, with AES-GCM, or with AES-CTR for pages.
//
//	file     Open      footer, plain or encrypted, with its signature verified
//	chunk    Chunk     its key, and its entry in the footer, if that is encrypted by itself
//	module   Decrypt   pages, their headers, indexes, Bloom filters, by the chunk's page.Cipher
//
// What is authenticated with a module says where it belongs, so that modules cannot change
// places:
//
//	prefix, file unique │ kind of module │ row group │ column │ page, of data pages and headers
//	any length            1 byte           2 bytes     2 bytes  2 bytes, all little endian
//
// Keys are requested from the host when something needs them, once for a file and each
// metadata of a key. They appear in no error.
//
// What never comes here: where modules lie, reading them, what their bytes mean.
package decrypt
