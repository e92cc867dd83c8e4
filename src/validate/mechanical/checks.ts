import type { MechanicalCheck } from "./check.js";
import { documentIgnored } from "./document-ignored.js";
import { emptySource } from "./empty-source.js";
import { fanOut } from "./fan-out.js";
import { notReproducible } from "./not-reproducible.js";
import { previewSubmitted } from "./preview-submitted.js";
import { similarColumns } from "./similar-columns.js";
import { truncatedBasis } from "./truncated-basis.js";
import { unaskedLimit } from "./unasked-limit.js";
import { unprovenJoin } from "./unproven-join.js";
import { unseenSource } from "./unseen-source.js";
import { unseenValue } from "./unseen-value.js";

/** The checks by code on a candidate's evidence, in the order in which their findings are shown. */
export const MECHANICAL_CHECKS: readonly MechanicalCheck[] = [
  unseenSource,
  unseenValue,
  unprovenJoin,
  fanOut,
  previewSubmitted,
  unaskedLimit,
  notReproducible,
  emptySource,
  truncatedBasis,
  documentIgnored,
  similarColumns,
];
