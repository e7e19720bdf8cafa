"""A jitted matrix product and its gradient."""
import jax
import jax.numpy as jnp

x = jnp.ones((1024, 1024))
step = jax.jit(jax.grad(lambda w: (x @ w).sum()))
print("sum", float(step(x).sum()), jax.devices()[0].platform)
print("EXPECT some_live=1")
