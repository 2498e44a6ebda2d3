# Exports functions with their pull-back into the folder named by the argument: NAME.bin, and NAME.npz as from_go.py reads it.
import sys
import jax
jax.config.update("jax_enable_x64", True)
import numpy as np
from jax import export, lax, nn, numpy as jnp, random
import jax.scipy as jsp

rng = np.random.default_rng(1)
f32 = lambda *s: rng.normal(size=s).astype(np.float32)
f64 = lambda *s: rng.normal(size=s)
i32 = lambda n, *s: rng.integers(0, n, size=s).astype(np.int32)
c64 = lambda *s: f32(*s) + 1j * f32(*s)

def rnn(p, xs):
    def step(h, x):
        h = jnp.tanh(p["h"] @ h + p["x"] @ x)
        return h, h.sum()
    return lax.scan(step, jnp.zeros(3, jnp.float32), xs)

def newton(x):
    return lax.fori_loop(0, 20, lambda _, y: y - (y * y - x) / (2 * y), jnp.ones_like(x))

def mlp(params, x):
    for w, b in params[:-1]:
        x = nn.relu(x @ w + b)
    w, b = params[-1]
    return nn.log_softmax(x @ w + b)

spd = lambda a: a @ a.T + 3 * np.eye(a.shape[0], dtype=a.dtype)

cases = {
    "sine": (jnp.sin, f32(5)),
    "affine": (lambda w, b, x: x @ w + b, f32(3, 2), f32(2), f32(4, 3)),
    "softmax": (nn.softmax, f32(4, 7)),
    "dict": (lambda d: {"sum": d["a"] + d["b"], "product": d["a"] * d["b"]}, {"b": f32(3), "a": f32(3)}),
    "nested": (lambda t: (t[0], [t[1]["x"] * 2, None], ()), (f32(2), {"x": f64(3)})),
    "named": (lambda x, *, scale: x * scale, f32(4), {"scale": f32()}),
    "integers": (lambda x, i: (x[i], i + 1), f32(9), i32(9, 4)),
    "only_integers": (lambda i: i * 3 - 1, i32(100, 6)),
    "booleans": (lambda x: (x > 0, jnp.where(x > 0, x, 0.1 * x)), f32(8)),
    "complex": (lambda z: z * jnp.conj(z) + jnp.exp(1j * z), c64(5)),
    "double": (lambda x: jnp.cumsum(jnp.log1p(x * x)), f64(11)),
    "half": (lambda x: (x * x).sum(), f32(8).astype(np.float16)),
    "erf": (lambda x: jsp.special.erf(x) + jsp.special.erfc(2 * x), f32(9)),
    "gamma": (lambda x: jsp.special.gammaln(jnp.abs(x) + 1) + jsp.special.digamma(jnp.abs(x) + 1), f32(9)),
    "inverse_error": (lambda x: jsp.special.erfinv(jnp.tanh(x)), f32(9)),
    "hyperbolic": (lambda x: jnp.sinh(x) + jnp.arcsinh(x) + jnp.arctan(x) + jnp.arccosh(1 + x * x), f32(9)),
    "conv": (lambda x, k: lax.conv_general_dilated(x, k, (2, 1), "SAME"), f32(2, 3, 8, 8), f32(4, 3, 3, 3)),
    "pool": (lambda x: lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2), (1, 2, 2), "VALID"), f32(2, 6, 6)),
    "scan": (rnn, {"h": f32(3, 3), "x": f32(3, 2)}, f32(5, 2)),
    "cond": (lambda p, x: lax.cond(p > 0, jnp.sin, jnp.cos, x), f32(), f32(4)),
    "fori": (newton, np.abs(f32(4)) + 1),
    "while": (lambda x: lax.while_loop(lambda c: c[0] < 5, lambda c: (c[0] + 1, c[1] * 1.5), (jnp.int32(0), x))[1], f32(3)),
    "sort": (lambda x: (jnp.sort(x), jnp.argsort(x)), f32(11)),
    "top_k": (lambda x: lax.top_k(x, 3), f32(3, 9)),
    "gather": (lambda x, i: jnp.take(x, i, axis=1), f32(3, 7), i32(7, 5)),
    "scatter": (lambda x, i, u: x.at[i].add(u), f32(9), i32(9, 4), f32(4)),
    "dynamic_slice": (lambda x, i: lax.dynamic_slice(x, (i,), (3,)), f32(9), i32(6)),
    "pad_concat": (lambda x, y: jnp.concatenate([jnp.pad(x, 1), y]), f32(3), f32(2)),
    "fft": (lambda x: jnp.abs(jnp.fft.rfft(x)) ** 2, f32(16)),
    "cholesky": (jnp.linalg.cholesky, spd(f32(4, 4))),
    "solve": (jnp.linalg.solve, spd(f32(4, 4)), f32(4, 2)),
    "qr": (lambda a: jnp.linalg.qr(a)[1] ** 2, f32(4, 4)),
    "eigh": (lambda a: jnp.linalg.eigh(a)[0], spd(f32(4, 4))),
    "svd": (lambda a: jnp.linalg.svd(a, compute_uv=False), f32(5, 3)),
    "mlp": (mlp, [(f32(4, 8), f32(8)), (f32(8, 3), f32(3))], f32(6, 4)),
    "gradient": (jax.grad(lambda x: jnp.sum(jnp.sin(x) * jnp.exp(-x * x))), f32(7)),
    "hessian": (jax.hessian(lambda x: jnp.prod(jnp.cosh(x))), f32(3)),
    "vmap": (jax.vmap(lambda a, b: a @ b), f32(3, 2, 4), f32(3, 4)),
    "random": (lambda i: random.normal(random.key(i), (5,), jnp.float32), i32(99)),
    "einsum": (lambda a, b: jnp.einsum("bij,bkj->bik", a, b), f32(2, 3, 4), f32(2, 5, 4)),
    "einsum_path": (lambda a, b, c: jnp.einsum("ij,jk,kl->il", a, b, c), f64(2, 3), f64(3, 4), f64(4, 2)),
    "attention": (lambda q, k, v: nn.softmax(q @ k.T / 2) @ v, f32(5, 4), f32(5, 4), f32(5, 4)),
}

inexact = lambda x: jnp.issubdtype(jnp.result_type(x), jnp.inexact)

for name, (f, *args) in cases.items():
    kwargs = args.pop() if name == "named" else {}
    exp = export.export(jax.jit(f))(*args, **kwargs)
    out = {}
    results = jax.tree.leaves(jax.jit(f)(*args, **kwargs))
    out.update({f"a{i}": np.asarray(x) for i, x in enumerate(jax.tree.leaves((args, kwargs)))})
    out.update({f"r{i}": np.asarray(x) for i, x in enumerate(results)})
    order = 0 if name in ("while", "fori") else 1
    if order:
        flat, tree = jax.tree.flatten((args, kwargs))
        g = lambda *x: [y for y in jax.tree.leaves(f(*jax.tree.unflatten(tree, x)[0], **jax.tree.unflatten(tree, x)[1])) if inexact(y)]
        y, pull = jax.vjp(g, *flat)
        ct = [np.asarray(rng.normal(size=v.shape) + (1j * rng.normal(size=v.shape) if np.iscomplexobj(v) else 0), v.dtype) for v in y]
        out.update({f"c{i}": x for i, x in enumerate(ct)})
        back = [np.asarray(v) for v, x in zip(pull(ct), flat) if inexact(x)]
        out.update({f"g{i}": x for i, x in enumerate(back)})
    np.savez(f"{sys.argv[1]}/{name}.npz", **out)
    open(f"{sys.argv[1]}/{name}.bin", "wb").write(exp.serialize(vjp_order=order))
    print(name, flush=True)
