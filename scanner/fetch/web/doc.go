// Package web reads ranges of files that are behind http:// and https:// URLs.
//
// Open makes one request, for the last bytes of the file. Its answer tells the size and the
// identity, and has the footer and, in most files, the indexes before it:
//
//	GET /orders.parquet            Range: bytes=-131072
//	206 Partial Content            Content-Range: bytes 868928-999999/1000000, ETag: "7f3a"
//
// ReadRanges joins ranges with small gaps between them, cuts long ones, and makes several
// requests at once. There is one range in a request. What a server answers is held against
// the request: the range, its length, the size of the file, and the ETag or the time that
// the file had at opening. A request that fails for a reason that may pass is repeated, from
// the first byte on that is missing.
//
//	requested   [a][b]..gap..[c]          [      d      ]
//	requests    [      1       ]          [  2  ][  3   ]
//
// Hosts that sign requests, or renew tokens, do so in the http.RoundTripper of their client. It may
// explain a refusal, as a Refused. With a State from a listing, Open makes no request at all.
//
// What never comes here: APIs of object stores, listings of files, caches, writing.
package web
