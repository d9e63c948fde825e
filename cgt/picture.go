package cgt

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
)

// At is the value of the wall at a tax of −1 or more.
func (w Wall) At(tax Dyadic) Dyadic {
	p, _, _ := curve{w, 0}.from(max(tax, -One))
	return p.value
}

// Text is a table of the corners, the mast first, and a picture with the
// temperatures beside it. By custom, larger values are further left.
func (t Thermograph) Text() string { return t.table() + "\n" + t.picture() }

// base is where tables and pictures begin: at 0, or for numbers at −1.
func (t Thermograph) base() Dyadic {
	if t.Temperature() < 0 {
		return -One
	}
	return 0
}

func (t Thermograph) table() string {
	taxes := []Dyadic{t.base()}
	for _, w := range []Wall{t.Left, t.Right} {
		for _, c := range w {
			if c.At > t.base() {
				taxes = append(taxes, c.At)
			}
		}
	}
	slices.Sort(taxes)
	taxes = slices.Compact(taxes)
	slices.Reverse(taxes)
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "temperature\tleft\tright\t")
	for _, tax := range taxes {
		fmt.Fprintf(w, "%v\t%v\t%v\t\n", tax, t.Left.At(tax), t.Right.At(tax))
	}
	w.Flush()
	return b.String()
}

const (
	mostRows    = 16 // between the base and the mast
	mostColumns = 64
)

// picture has rows and columns of the same step, so that walls lean by 45
// degrees. The step is a power of two, and temperatures of rows are exact.
func (t Thermograph) picture() string {
	base, top := t.base(), t.Temperature()
	wide := t.Left.At(base)
	narrow := t.Right.At(base)
	step := Dyadic(1)
	if wide == narrow && top == base {
		step = One
	}
	for (top-base)/step > mostRows || (wide-narrow)/step > mostColumns {
		step *= 2
	}
	column := func(value Dyadic) int { return int((wide - value + step/2) / step) }
	var b strings.Builder
	first := base + (top-base+step-1)/step*step + step
	for tax := first; tax >= base; tax -= step {
		row := []byte(strings.Repeat(" ", column(narrow)+1))
		row[column(t.Right.At(tax))] = stroke(t.Right, tax, step, '\\')
		row[column(t.Left.At(tax))] = stroke(t.Left, tax, step, '/')
		fmt.Fprintf(&b, "%11v  %s\n", tax, strings.TrimRight(string(row), " "))
	}
	return b.String()
}

// stroke is how a wall leaves the row: upright or leaning.
func stroke(w Wall, tax, step Dyadic, leaning byte) byte {
	if w.At(tax) == w.At(tax+step) {
		return '|'
	}
	return leaning
}
