// Package proxy stands between a client and a store: it delays requests, counts them and their
// bytes, and lets tests answer in the store's place.
//
// What never comes here: what S3 is.
package proxy
