# Loads functions that Go exported and compares what they give with what Go says. It reads the name of a folder's case a line:
# NAME.bin is the container, NAME.npz the arguments a0, a1, …, the results r0, …, cotangents c0, … and what the pull-back gives
# for them, g0, …; those of integers are left out.
import sys
import jax
jax.config.update("jax_enable_x64", True)
import numpy as np
from jax import export, numpy as jnp

def leaves(z, letter):
    return [z[f"{letter}{i}"] for i in range(len(z.files)) if f"{letter}{i}" in z.files]

def compare(what, got, want):
    if len(got) != len(want):
        raise AssertionError(f"{len(got)} {what}s, want {len(want)}")
    for i, (g, w) in enumerate(zip(got, want)):
        g = np.asarray(g)
        if g.shape != w.shape or g.dtype != w.dtype:
            raise AssertionError(f"{what} {i} is {g.dtype}{g.shape}, want {w.dtype}{w.shape}")
        eps = np.finfo(w.dtype).eps if np.issubdtype(w.dtype, np.inexact) else 0
        np.testing.assert_allclose(g, w, rtol=200 * eps, atol=200 * eps * (np.abs(w).max() if w.size else 0), err_msg=f"{what} {i}")

def check(name):
    z = np.load(name + ".npz")
    exp = export.deserialize(bytearray(open(name + ".bin", "rb").read()))
    tree = exp.in_tree
    args, kwargs = jax.tree.unflatten(tree, leaves(z, "a"))
    call = jax.jit(exp.call)
    compare("result", jax.tree.leaves(call(*args, **kwargs)), leaves(z, "r"))
    if not exp.has_vjp():
        return "forward"
    inexact = lambda x: jnp.issubdtype(x.dtype, jnp.inexact)
    flat = lambda *x: [y for y in jax.tree.leaves(exp.call(*jax.tree.unflatten(tree, x)[0])) if inexact(y)]
    _, pull = jax.vjp(flat, *leaves(z, "a"))
    ct = pull(leaves(z, "c"))
    compare("cotangent", [g for g, a in zip(ct, leaves(z, "a")) if inexact(a)], leaves(z, "g"))
    return "forward and back"

print("ready", jax.__version__, flush=True)
for line in sys.stdin:
    name = line.strip()
    try:
        print("pass", check(name), flush=True)
    except Exception as e:
        print("fail", type(e).__name__, " ".join(str(e).split())[:600], flush=True)
