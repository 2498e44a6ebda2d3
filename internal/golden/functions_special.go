package golden

import (
	"github.com/pantograph-go/pantograph/array"
	"github.com/pantograph-go/pantograph/np"
	"github.com/pantograph-go/pantograph/special"
)

func elementwise3(f func(x, y, z any) *array.Array) Func {
	return func(c *Call) any { return f(c.Args[0], c.Args[1], c.Args[2]) }
}

// specialFunctions are the functions of jax.scipy.special.
var specialFunctions = map[string]Func{
	"special.beta": elementwise2(special.Beta), "special.betaln": elementwise2(special.BetaLn), "special.betainc": elementwise3(special.BetaInc),
	"special.bernoulli": func(c *Call) any { return special.Bernoulli(c.Int("n", 0)) },
	"special.boxcox":    elementwise2(special.BoxCox), "special.boxcox1p": elementwise2(special.BoxCox1p),
	"special.comb":  func(c *Call) any { return special.Comb(c.Args[0], c.Args[1], c.Bool("repetition", false)) },
	"special.dawsn": elementwise(special.Dawsn), "special.digamma": elementwise(special.Digamma), "special.entr": elementwise(special.Entr),
	"special.erf": elementwise(special.Erf), "special.erfc": elementwise(special.Erfc), "special.erfcx": elementwise(special.Erfcx), "special.erfinv": elementwise(special.ErfInv),
	"special.exp1": elementwise(special.Exp1), "special.expi": elementwise(special.Expi), "special.expit": elementwise(special.Expit),
	"special.expn": func(c *Call) any {
		if c.Has("n") {
			return special.Expn(c.Int("n", 0), c.Args[0])
		}
		return special.Expn(c.Args[0], c.Args[1])
	},
	"special.factorial": elementwise(special.Factorial),
	"special.fresnel":   func(c *Call) any { return pair(special.Fresnel(c.Args[0])) },
	"special.gamma":     elementwise(special.Gamma), "special.gammainc": elementwise2(special.GammaInc), "special.gammaincc": elementwise2(special.GammaIncc),
	"special.gammaln": elementwise(special.GammaLn), "special.gammasgn": elementwise(special.GammaSgn), "special.hyp1f1": elementwise3(special.Hyp1F1),
	"special.i0": elementwise(special.I0), "special.i0e": elementwise(special.I0e), "special.i1": elementwise(special.I1), "special.i1e": elementwise(special.I1e),
	"special.kl_div": elementwise2(special.KLDiv), "special.log_ndtr": elementwise(special.LogNdtr),
	"special.log_softmax": func(c *Call) any { return special.LogSoftmax(c.Args[0], c.Ints("axis")...) },
	"special.softmax":     func(c *Call) any { return special.Softmax(c.Args[0], c.Ints("axis")...) },
	"special.loggamma":    elementwise(special.LogGamma), "special.logit": elementwise(special.Logit),
	"special.logsumexp": func(c *Call) any {
		if c.Bool("return_sign", false) {
			var weights any = 1.0
			if b := c.Any("b"); b != nil {
				weights = b
			}
			return pair(special.LogSumExpSign(c.Args[0], weights, c.Ints("axis")...))
		}
		opts := c.options("axis", "keepdims", "where")
		if b := c.Any("b"); b != nil {
			opts = append(opts, np.Weights(b))
		}
		return special.LogSumExp(c.Args[0], opts...)
	},
	"special.multigammaln": func(c *Call) any { return special.MultiGammaLn(c.Args[0], c.Int("d", 0)) },
	"special.ndtr":         elementwise(special.Ndtr), "special.ndtri": elementwise(special.Ndtri), "special.poch": elementwise2(special.Poch),
	"special.polygamma": elementwise2(special.Polygamma), "special.rel_entr": elementwise2(special.RelEntr),
	"special.sici":   func(c *Call) any { return pair(special.SiCi(c.Args[0])) },
	"special.spence": elementwise(special.Spence), "special.xlog1py": elementwise2(special.XLog1pY), "special.xlogy": elementwise2(special.XLogY),
	"special.zeta": elementwise2(special.Zeta),
}
