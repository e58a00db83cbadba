package bench

import (
	"fmt"
	"math"
	"strings"
)

// A skipPlot is several figures side by side, which have the same axes.
type skipPlot struct {
	What    string
	Figures []*figure
}

// A figure is a small plot with logarithmic axes: what part of a full scan it takes to return a
// share of the rows.
type figure struct {
	Title  string
	Curves []curve
}

type curve struct {
	Name   string
	Points []point // by X
}

// A point has shares, of which 1 is all.
type point struct{ X, Y float64 }

// Bounds of the axes. Scans that take longer than full ones are above 1.
const (
	leastX = 0.0001
	mostY  = 2
)

// bottom returns the power of ten that is below all points.
func (p *skipPlot) bottom() float64 {
	least := 0.1
	for _, f := range p.Figures {
		for _, c := range f.Curves {
			for _, p := range c.Points {
				least = min(least, max(p.Y, 1e-6))
			}
		}
	}
	return math.Pow(10, math.Floor(math.Log10(least)+1e-9))
}

// along returns where a share is on a logarithmic axis, from 0 to 1.
func along(v, least, most float64) float64 {
	return math.Log(min(max(v, least), most)/least) / math.Log(most/least)
}

// powers returns the powers of ten from a small one to 1.
func powers(least float64) (all []float64) {
	for y := 1.0; y > least*0.99; y /= 10 {
		all = append(all, y)
	}
	return all
}

// ideal is the line of scans that cost what their answer does.
func ideal(bottom float64) curve {
	from := max(bottom, leastX)
	return curve{"ideal: as many % of a full scan as rows pass", []point{{from, from}, {1, 1}}}
}

// Of a plot in the terminal: its characters, each of them 2 by 4 dots of Braille.
const (
	plotWidth  = 21
	plotHeight = 13
)

// inTerminal draws a plot in characters.
func inTerminal(p skipPlot) string {
	bottom, marks := p.bottom(), []rune("●■▲◆")
	lineOf := func(y float64) int { return int(math.Round((1 - along(y, bottom, mostY)) * (plotHeight - 1))) }
	var labels [plotHeight]string
	for _, y := range powers(bottom) {
		labels[lineOf(y)] = percent(y)
	}
	text := p.What + "\n         "
	for _, f := range p.Figures {
		text += fmt.Sprintf(" %-*s  ", plotWidth, f.Title)
	}
	rows := make([][][]rune, len(p.Figures))
	for i, f := range p.Figures {
		rows[i] = f.dots(bottom)
		for j := len(f.Curves) - 1; j >= 0; j-- { // the first one's marks are on top
			for _, p := range f.Curves[j].Points {
				rows[i][lineOf(p.Y)][int(along(p.X, leastX, 1)*(plotWidth-1)+0.5)] = marks[j]
			}
		}
	}
	text = strings.TrimRight(text, " ")
	for y, label := range labels {
		line := fmt.Sprintf("\n%8s ", label)
		for i := range rows {
			line += "│" + string(rows[i][y]) + "  "
		}
		text += strings.TrimRight(line, " ⠀")
	}
	text += "\n        " + strings.Repeat(fmt.Sprintf(" %-*s   100 %%", plotWidth-5, "0.01 %"), len(p.Figures)) +
		"\n          share of rows that pass; both axes are logarithmic\n         "
	for i, c := range p.Figures[0].Curves {
		text += fmt.Sprintf(" %c %s ", marks[i], c.Name)
	}
	return text + " ⠢ " + ideal(bottom).Name + "\n"
}

// dots draws the ideal and the curves of a figure.
func (f *figure) dots(bottom float64) [][]rune {
	rows := make([][]rune, plotHeight)
	for i := range rows {
		rows[i] = []rune(strings.Repeat("⠀", plotWidth)) // Braille without a dot
	}
	dot := [4][2]rune{{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}}
	for n, c := range append([]curve{ideal(bottom)}, f.Curves...) {
		for i := 1; i < len(c.Points); i++ {
			p, q := c.Points[i-1], c.Points[i]
			for at := range 101 {
				if n == 0 && at%8 > 0 {
					continue // the ideal is dotted
				}
				part := float64(at) / 100
				x := int(math.Round((along(p.X, leastX, 1)*(1-part) + along(q.X, leastX, 1)*part) * (2*plotWidth - 1)))
				y := 1 + int(math.Round((1-along(p.Y, bottom, mostY)*(1-part)-along(q.Y, bottom, mostY)*part)*4*(plotHeight-1)))
				rows[y/4][x/2] |= dot[y%4][x%2]
			}
		}
	}
	return rows
}
