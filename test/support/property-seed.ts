import fc from "fast-check";

/**
 * Property tests draw from one seed, so that a red gate is red again for whoever looks into it; a failing property prints
 * its own seed and path. `FAST_CHECK_SEED=N npm test` explores others.
 */
fc.configureGlobal({ seed: Number(process.env.FAST_CHECK_SEED ?? 20_261_201) });
