// Package opt holds optimisers for training: small pure functions on trees of parameters, as in Optax. An Optimizer
// makes a State for parameters, and turns gradients into new parameters and a new state; both can be traced, so a whole
// training step compiles as one program. LBFGS minimises a deterministic function to the end, in one loop.
//
//	optimizer := opt.Clipped(opt.Adam(opt.Warmup(100, opt.Cosine(1e-3, 0, 5000))), 1)
//	state := optimizer.Init(params)
//	step := jit.Of(func(p Params, s opt.State, x, y *np.Array) (Params, opt.State) {
//		next, s := optimizer.Update(p, vjp.Grad(loss).CallTree(p, x, y), s)
//		return next.(Params), s
//	})
package opt
