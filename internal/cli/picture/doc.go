// Package picture draws a scan: a row for each column, a cell for each page, coloured by
// what became of the page.
//
//	rows of the file   0          6,000        12,000
//	condition         [none      |none        |open      all]
//	column a          [ page | page | …                      ]
//	column b          [  page   |   page  | …                ]
//
// A Picture holds the numbers, HTML and SVG write it. A page of HTML needs nothing but
// itself: its program and colours are in page.html, page.js and page.css of this folder.
//
// What never comes here: files and scans, which package cli asks.
package picture
