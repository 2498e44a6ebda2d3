package nn

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
)

// CrossEntropy is the cross entropy of predicted logits and the class that was right, for each vector: -log softmax at
// the label. A label outside 0 … classes-1 gives 0.
//
//	logits [..., classes], labels [...] integer   →   [...]
func CrossEntropy(logits, labels any) *array.Array {
	l := inexact(logits)
	if l.Rank() == 0 {
		panic(array.Wrap("nn.CrossEntropy", array.ShapeErrorf("the logits are %s; they must be a vector or more", l.Aval())))
	}
	hot := OneHot(labels, l.Shape()[l.Rank()-1], l.DType())
	return np.Sum(LogSoftmax(l).Mul(hot), np.Axis(-1)).Neg()
}

// SoftmaxCrossEntropy is the cross entropy of predicted logits and a distribution p, for each vector: -Σ p log softmax.
//
//	logits, p [..., classes]   →   [...]
func SoftmaxCrossEntropy(logits, p any) *array.Array {
	return np.Sum(LogSoftmax(logits).Mul(p), np.Axis(-1)).Neg()
}

// SigmoidBinaryCrossEntropy is the cross entropy of a logit and a probability in [0, 1], elementwise:
// -p log σ(x) - (1 - p) log σ(-x).
func SigmoidBinaryCrossEntropy(logits, p any) *array.Array {
	x, q := inexact(logits), inexact(p)
	return q.Mul(LogSigmoid(x)).Add(q.Neg().Add(1.0).Mul(LogSigmoid(x.Neg()))).Neg()
}

// SquaredError is (x - y)², elementwise; its mean is the mean squared error.
func SquaredError(x, y any) *array.Array {
	d := inexact(x).Sub(y)
	return d.Mul(d)
}

// Huber is ½ d² where the distance d = |x - y| is at most delta, and delta (d - ½ delta) beyond (Huber, Robust
// estimation of a location parameter, 1964).
func Huber(x, y any, delta float64) *array.Array {
	d := inexact(x).Sub(y).Abs()
	q := np.Minimum(d, delta)
	return q.Mul(q).Mul(0.5).Add(d.Sub(q).Mul(delta))
}
