import { stemSet } from "./stem.js";

/** Words that carry no field or value of their own. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an the of in on at to for by with from into per and or but is are was were be been being do does did has have had having this that these those there their its his her it they them he she who whom whose which what where when why how all any each every both either please also as than then so if not no can could should would will may might s me us i we you our your my one ones such only just about within among between during whole entire given following using use used respectively do".split(
    " ",
  ),
);

/** Nouns that stand beside a field's name without changing which field is meant. */
export const FIELD_NOUNS: ReadonlySet<string> = stemSet(
  "value column field variable feature level data information detail figure reading measurement attribute entry record statistic metric",
);
