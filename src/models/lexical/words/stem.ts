/** Forms that no suffix rule brings together. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: "person",
    persons: "person",
    men: "man",
    women: "woman",
    children: "child",
    feet: "foot",
    teeth: "tooth",
    mice: "mouse",
    indices: "index",
    matrices: "matrix",
    series: "series",
    species: "species",
    status: "status",
    won: "win",
    winner: "win",
    spent: "spend",
    paid: "pay",
    sold: "sell",
    held: "hold",
    bought: "buy",
    made: "make",
    took: "take",
    taken: "take",
    gave: "give",
    given: "give",
    wrote: "write",
    written: "write",
    drove: "drive",
    driven: "drive",
    ran: "run",
    began: "begin",
    begun: "begin",
    lost: "lose",
    led: "lead",
    built: "build",
    sent: "send",
    lent: "lend",
    caught: "catch",
    taught: "teach",
    grew: "grow",
    grown: "grow",
    flew: "fly",
    flown: "fly",
    died: "die",
    dying: "die",
    deaths: "death",
    has: "have",
    had: "have",
    does: "do",
    did: "do",
    is: "be",
    are: "be",
    was: "be",
    were: "be",
    been: "be",
    being: "be",
    colour: "color",
    colours: "color",
    coloured: "color",
    metre: "meter",
    metres: "meter",
    centre: "center",
    catalogue: "catalog",
    programme: "program",
    grey: "gray",
    jewellery: "jewelry",
    organisation: "organization",
    organisations: "organization",
    bus: "bus",
    gas: "gas",
    gps: "gps",
    bonus: "bonus",
    this: "this",
    its: "its",
    his: "his",
    us: "us",
    as: "as",
    news: "news",
  }),
);

/** A light English stem: plural, -ing, -ed and a silent e taken off, so that forms of one word compare equal. */
export function stem(word: string): string {
  const irregular = IRREGULAR.get(word);
  if (irregular !== undefined) return irregular;
  if (word.length <= 3 || !/^[a-z]+$/.test(word)) return word;
  return withoutSilentE(withoutVerbEnding(withoutPlural(word)));
}

const PAST = new Set(
  "born held won sold paid spent made given gave taken took built bought lost led sent lent caught taught grew grown flew flown drove driven ran wrote written began begun".split(
    " ",
  ),
);

/** Whether a word looks like a form of a verb: `owned`, `flew`, `departing`. */
export function isVerbForm(word: string): boolean {
  return PAST.has(word) || /[a-z]{2}(?:ed|ing)$/.test(word);
}

/** The stems of words that are separated by spaces: lists of words that stems are looked up in. */
export function stemSet(words: string): ReadonlySet<string> {
  return new Set(words.split(" ").map(stem));
}

function withoutPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (/[^su]s$/.test(word) && !word.endsWith("is")) return word.slice(0, -1);
  return word;
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith("ied") && word.length > 4) return `${word.slice(0, -3)}y`;
  const base = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1];
  if (base === undefined || base.length < 3) return word;
  return base.replace(/([bdfgklmnprt])\1$/, "$1");
}

function withoutSilentE(word: string): string {
  return word.length > 3 && word.endsWith("e") ? word.slice(0, -1) : word;
}

const DERIVATIONS = new Set(
  "e er or r y ist ic ics al ion ation tion ing ment ance ence ant ent ive ity ed ous ful ness ian an ese ish ly ies d ate ated ure th t".split(
    " ",
  ),
);

/** Whether two words are likely forms of one word family: create and creation, own and owner. */
export function related(left: string, right: string): boolean {
  if (left === right) return true;
  const shared = sharedPrefix(left, right);
  if (shared < 3 || shared < Math.min(left.length, right.length) - 2) return false;
  if (shared < 4 && Math.min(left.length, right.length) > 3) return false;
  const rest = [left.slice(shared), right.slice(shared)];
  return rest.every((tail) => tail === "" || DERIVATIONS.has(tail));
}

function sharedPrefix(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}
