import type { MechanicalCheck } from "./check.js";
import { unaskedLimit } from "./unasked-limit.js";

/** The checks by code on a candidate's evidence, in the order in which their findings are shown. */
export const MECHANICAL_CHECKS: readonly MechanicalCheck[] = [unaskedLimit];
