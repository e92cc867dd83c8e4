/** Words everybody knows for the same thing, where spelling does not show it. */
const DEMONYMS: Readonly<Record<string, readonly string[]>> = {
  spain: ["spanish"],
  france: ["french"],
  germany: ["german"],
  netherlands: ["dutch"],
  switzerland: ["swiss"],
  "united kingdom": ["british", "uk"],
  uk: ["british"],
  england: ["english"],
  "united states": ["american", "usa", "us"],
  usa: ["american", "us"],
  denmark: ["danish"],
  sweden: ["swedish"],
  poland: ["polish"],
  turkey: ["turkish"],
  finland: ["finnish"],
  ireland: ["irish"],
  scotland: ["scottish"],
  wales: ["welsh"],
  greece: ["greek"],
  norway: ["norwegian"],
  portugal: ["portuguese"],
  china: ["chinese"],
  japan: ["japanese"],
  thailand: ["thai"],
  peru: ["peruvian"],
  "czech republic": ["czech"],
  czechia: ["czech"],
  hungary: ["hungarian"],
  belgium: ["belgian"],
  monaco: ["monegasque"],
  "new zealand": ["new zealander"],
  iceland: ["icelandic"],
  israel: ["israeli"],
  iraq: ["iraqi"],
  pakistan: ["pakistani"],
  italy: ["italian"],
  austria: ["austrian"],
  australia: ["australian"],
  brazil: ["brazilian"],
  canada: ["canadian"],
  india: ["indian"],
  mexico: ["mexican"],
  russia: ["russian"],
  korea: ["korean"],
  egypt: ["egyptian"],
  argentina: ["argentine", "argentinian"],
  vietnam: ["vietnamese"],
  malaysia: ["malaysian"],
  monegasque: ["monaco"],
};

/** Whether one is the country of the other's people: German, Germany. Both are normalised. */
export function demonymMatch(left: string, right: string): boolean {
  return (DEMONYMS[left]?.includes(right) ?? false) || (DEMONYMS[right]?.includes(left) ?? false);
}

const FEMALE = ["f", "female", "woman", "women", "w"];
const MALE = ["m", "male", "man", "men"];

/** Codes and words under which a gender may be stored; null if the word names none. */
export function genderWord(word: string): readonly string[] | null {
  if (/^(female|females|woman|women|girl|girls|lady|ladies)$/.test(word)) return FEMALE;
  return /^(male|males|man|men|boy|boys|gentleman|gentlemen)$/.test(word) ? MALE : null;
}

/** Names of months, also cut to three letters → 1 … 12; null for other words. */
export function monthNumber(word: string): number | null {
  const months = "january february march april may june july august september october november december".split(" ");
  const whole = months.indexOf(word);
  if (whole >= 0) return whole + 1;
  const cut = months.findIndex((month) => word.length === 3 && month.startsWith(word));
  return cut >= 0 && word !== "may" && word !== "mar" ? cut + 1 : null;
}

const YES = new Set(["yes", "y", "true", "t", "1"]);
const NO = new Set(["no", "n", "false", "f", "0"]);

/** The values of a two-valued column that mean yes and no; null if its values say nothing of the kind. */
export function yesAndNo(
  values: readonly string[],
): { readonly yes: string | null; readonly no: string | null } | null {
  const shown = values.filter((value) => value.trim() !== "");
  if (shown.length === 0 || shown.length > 2) return null;
  const yes = shown.find((value) => YES.has(value.toLowerCase())) ?? null;
  const no = shown.find((value) => NO.has(value.toLowerCase())) ?? null;
  return shown.every((value) => value === yes || value === no) ? { yes, no } : null;
}
