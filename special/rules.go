package special

import (
	"github.com/pantograph-go/pantograph/trace"
	"github.com/pantograph-go/pantograph/vjp"
)

// withSlope is a function with its derivative, given the operand and the value. The value in the rule is the function's own,
// so that it has this derivative too.
func withSlope(f func(x arr) arr, slope func(x, y arr) arr) *trace.Func {
	var self *trace.Func
	self = vjp.CustomJVP(f, func(x, dx arr) (arr, arr) {
		y := self.Call(x)
		return y, dx.Mul(slope(x, y))
	})
	return self
}

// withSlopes is withSlope for two operands.
func withSlopes(f func(x, y arr) arr, slopes func(x, y, z arr) (byX, byY arr)) *trace.Func {
	var self *trace.Func
	self = vjp.CustomJVP(f, func(x, y, dx, dy arr) (arr, arr) {
		z := self.Call(x, y)
		byX, byY := slopes(x, y, z)
		return z, dx.Mul(byX).Add(dy.Mul(byY))
	})
	return self
}

// withSlopePair is withSlope for two results.
func withSlopePair(f func(x arr) (a, b arr), slopes func(x arr) (da, db arr)) *trace.Func {
	var self *trace.Func
	self = vjp.CustomJVP(func(x arr) []arr {
		a, b := f(x)
		return []arr{a, b}
	}, func(x, dx arr) ([]arr, []arr) {
		a, b := slopes(x)
		return self.CallAll(x), []arr{dx.Mul(a), dx.Mul(b)}
	})
	return self
}
