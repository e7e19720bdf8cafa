"""A jitted matrix product and its gradient. Prints what JAX's own allocator says it took from CUDA."""
import jax
import jax.numpy as jnp

x = jnp.ones((1024, 1024))
step = jax.jit(jax.grad(lambda w: (x @ w).sum()))
print("sum", float(step(x).sum()), jax.devices()[0].platform)
stats = jax.devices()[0].memory_stats()
print("memory", {key: stats[key] for key in sorted(stats) if "pool" in key or "limit" in key})
print(f"EXPECT jax_pool={stats['pool_bytes']}")
