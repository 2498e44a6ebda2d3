// Package stats has probability distributions, as scipy.stats: densities, distribution functions, their complements and
// inverses, and a few statistics of samples.
//
//	logp := stats.Norm{Loc: 1.0, Scale: 2.0}.LogPDF(x)
//
// A distribution is a struct of its parameters, each an array or a Go number; a Loc left out is 0, a Scale 1. Methods promote
// and broadcast x and the parameters as np does, with integers as floats; results have the type that comes of it and the
// shape of x broadcast with the parameters. They differentiate in x and the parameters, but for the shapes of the beta
// distribution's CDF.
package stats
