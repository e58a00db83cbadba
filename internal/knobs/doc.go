// Package knobs has the switches of a scan that tests and those who measure turn: what
// proofs it leaves out, and which of two ways it takes where it else chooses by cost.
// Answers are the same whatever they say.
//
// They travel in the context of a scan, so that the options that hosts see have none:
//
//	ctx = knobs.With(ctx, knobs.Knobs{NoBloom: true})
//	for batch, err := range f.Scan(ctx, scanner.Options{}) { … }
//
// What never comes here: anything that a host of a scan needs; state of the package.
package knobs
