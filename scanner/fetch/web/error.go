package web

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Error is what went wrong with a request:
//
//	https://example.com/orders.parquet: 404 Not Found: file does not exist
//	https://example.com/orders.parquet: bytes 0-99: 503 Service Unavailable, after 3 attempts
//
// Its kind is found with errors.Is: fs.ErrNotExist, fs.ErrPermission, fetch.ErrChanged,
// ErrNoRanges, or io.ErrUnexpectedEOF if the server sent too little. It has no credentials.
type Error struct {
	Name   string // of the file; "" leaves it out of the text
	Range  string // of the request, as its header has it; "" if there was no request
	Status int    // of the response; 0 if there was none
	Err    error  // what went wrong
}

func (e *Error) Error() string {
	var parts []string
	if e.Name != "" {
		parts = append(parts, e.Name)
	}
	if place := e.place(); place != "" {
		parts = append(parts, place)
	}
	if e.Status != 0 {
		parts = append(parts, strings.TrimSpace(strconv.Itoa(e.Status)+" "+http.StatusText(e.Status)))
	}
	return strings.Join(append(parts, e.Err.Error()), ": ")
}

// place returns the range in words. That of the request that opens a file, for its end, says
// nothing about a file that is missing or refused.
func (e *Error) place() string {
	last, isLast := strings.CutPrefix(e.Range, "bytes=-")
	switch {
	case e.Range == "" || isLast && e.Status/100 == 4:
		return ""
	case isLast:
		return "last " + last + " bytes"
	}
	return strings.Replace(e.Range, "bytes=", "bytes ", 1)
}

func (e *Error) Unwrap() error { return e.Err }

// Refused is an error that the http.RoundTripper of a client may return: it has read what the
// server says about a refusal, or knows that there is no use in asking. A file treats it as a
// response with that status and header, and has Err as the cause in its error.
type Refused struct {
	Status int         // 4xx or 5xx; 0: there is no response, and the request is not made again
	Header http.Header // may be nil
	Err    error       // one line, without secrets; nil if Status says it all
}

func (r *Refused) Error() string {
	if r.Err == nil {
		return "status " + strconv.Itoa(r.Status)
	}
	return r.Err.Error()
}

func (r *Refused) Unwrap() error { return r.Err }

func (r *Refused) response() *http.Response {
	header := r.Header
	if header == nil {
		header = http.Header{}
	}
	return &http.Response{StatusCode: r.Status, Header: header, Body: http.NoBody, ContentLength: -1}
}

// explained is an error of some kind with the server's own words for it.
type explained struct{ words, kind error }

func (e *explained) Error() string   { return e.words.Error() }
func (e *explained) Unwrap() []error { return []error{e.words, e.kind} }

// public hides what may be secret in the text of an error of net/http, which may quote the
// URL of a redirect, and bounds it: what it quotes is the server's.
type public struct{ error }

// maxWords bounds how many characters of a server's words an error shows.
const maxWords = 300

func (p public) Error() string {
	text := strings.ReplaceAll(p.error.Error(), "\n", "; ")
	text = regexp.MustCompile(`//[^/@\s"]*@`).ReplaceAllString(text, "//…@")
	text = regexp.MustCompile(`\?[^\s"]*`).ReplaceAllString(text, "?…")
	words := []rune(text)
	for i, r := range words {
		if !unicode.IsPrint(r) {
			words[i] = ' '
		}
	}
	if len(words) > maxWords {
		return string(words[:maxWords]) + "…"
	}
	return string(words)
}

func (p public) Unwrap() error { return p.error }
