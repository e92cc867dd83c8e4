/** Words that may stand between "how many" and what is counted. */
const BETWEEN =
  "(?:of|the|all|those|these|different|distinct|unique|individual|separate|various|single|single-word|male|female)";
/** A noun is the whole of what is counted only where one of these follows. */
const BEHIND =
  "(?:$|[?.,;!]|\\s+(?:of|in|on|at|by|for|from|to|with|without|are|is|was|were|have|has|had|do|does|did|can|could|that|which|who|whose|where|when|there|and|or|during|between|took|take|got|per)\\b)";

/** Whether a question asks how many rows of a table there are, by the table's name: `How many superheroes have …` of superhero. */
export function countsRowsOf(question: string, table: string): boolean {
  const noun = table.replaceAll(/[_\s]+/g, " ").trim();
  if (!/^[a-z ]+$/i.test(noun)) return false;
  const start = `\\b(?:how many|number of|count of|count the|percentage of|share of|proportion of)\\s+(?:${BETWEEN}\\s+)*`;
  return new RegExp(`${start}(?:${formsOf(noun).join("|")})${BEHIND}`, "i").test(question);
}

/** The noun in singular and plural. */
function formsOf(noun: string): readonly string[] {
  const singular = noun
    .replace(/ies$/i, "y")
    .replace(/(?<=ss|sh|ch|x|z|o)es$/i, "")
    .replace(/(?<!s)s$/i, "");
  return [...new Set([noun, singular, `${singular}s`, `${singular}es`, singular.replace(/y$/i, "ies")])];
}
