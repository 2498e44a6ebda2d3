package np

import (
	"math"

	"github.com/pantograph-go/pantograph/primitive"
)

// window is f of 0 … n-1, or ones for n of at most 1, float64.
func window(op string, n int, f func(i *Array) *Array) *Array {
	if n <= 1 {
		return Ones([]int{max(n, 0)})
	}
	return f(primitive.Iota(Float64, checkShape(op, []int{n}), 0))
}

func cosine(i *Array, n int, turns float64) *Array {
	return primitive.Cos(i.Mul(2 * math.Pi * turns / float64(n-1)))
}

// Bartlett is the triangular window of n points.
func Bartlett(n int) *Array {
	return window("bartlett", n, func(i *Array) *Array {
		return i.Mul(2).Add(1 - n).Abs().Div(float64(1 - n)).Add(1)
	})
}

// Blackman is the window 0.42 - 0.5 cos(2πi/(n-1)) + 0.08 cos(4πi/(n-1)).
func Blackman(n int) *Array {
	return window("blackman", n, func(i *Array) *Array {
		return cosine(i, n, 1).Mul(-0.5).Add(0.42).Add(cosine(i, n, 2).Mul(0.08))
	})
}

// Hamming is the window 0.54 - 0.46 cos(2πi/(n-1)).
func Hamming(n int) *Array {
	return window("hamming", n, func(i *Array) *Array { return cosine(i, n, 1).Mul(-0.46).Add(0.54) })
}

// Hanning is the window (1 - cos(2πi/(n-1))) / 2.
func Hanning(n int) *Array {
	return window("hanning", n, func(i *Array) *Array { return cosine(i, n, 1).Mul(-0.5).Add(0.5) })
}

// Kaiser is the window I₀(beta √(1 - t²)) / I₀(beta) with t from -1 to 1.
func Kaiser(n int, beta float64) *Array {
	return window("kaiser", n, func(i *Array) *Array {
		t := i.Mul(2 / float64(n-1)).Sub(1)
		inside := Maximum(t.Mul(t).Neg().Add(1), 0)
		return I0(primitive.Sqrt(inside).Mul(beta)).Div(I0(beta))
	})
}
