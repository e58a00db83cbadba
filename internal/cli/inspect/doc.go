// Package inspect has the commands that show what a file is made of: schema, size, meta, pages,
// index, bloom and dump. They read the format itself, and believe nothing that a scan would not.
//
// What never comes here: rows.
package inspect
