import type { OpenDomains } from "../../src/score/scorer.js";

/** For scorers that ask no database. */
export const NO_DOMAINS: OpenDomains = () => async () => ({ ok: false, message: "there is no database here" });
