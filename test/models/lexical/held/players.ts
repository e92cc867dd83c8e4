import { dice, generated, pick, type World } from "../worlds/world.js";

const roll = dice(239);
const pad = (value: number) => String(value).padStart(2, "0");
const SETS = ["Dawnfall", "Iron Tide", "Verdant Rite", "Starless"];
const CARDS = [
  "Ember Drake",
  "Tide Caller",
  "Ancient Root",
  "Hollow Knight Errant",
  "Sunblade",
  "Mist Serpent",
  "Grave Whisper",
  "Copper Golem",
  "Sky Dancer",
  "Rune Smith",
  "Void Leech",
  "Meadow Sprite",
];

/** Card-game fields with flags, codes and odd names. */
export const cardGame: World = {
  name: "card-game",
  knowledge: `# Guide

### cards
- **convertedCost (integer):** mana cost of the card.
- **hasFoil (integer):** whether the card can be found in foil; 1 = yes, 0 = no.
- **isReprint (integer):** 1 if the card is a reprint.
- **borderColor (text):** colour of the card border.
- **frameVersion (text):** version of the card frame style; 'future' is the futuristic frame.

### legalities
- **status (text):** Legal, Banned or Restricted.
`,
  tables: {
    cards: generated(
      "id,uuid,name,artist,convertedCost,power,rarity,setCode,hasFoil,isReprint,borderColor,frameVersion,faceName",
      36,
      (id) => [
        id,
        `u${1000 + id}`,
        id <= 12 ? pick(CARDS, id - 1) : `${pick(CARDS, id)} ${pick(["II", "III"], id)}`,
        pick(["Jude Moro", "Lena Ashe", "Theo Brandt"], roll(3)),
        roll(8),
        roll(7) === 0 ? "*" : String(roll(9)),
        pick(["common", "uncommon", "rare", "mythic"], roll(4)),
        pick(["DWN", "IRT", "VRT", "STL"], roll(4)),
        roll(2),
        roll(3) === 0 ? 1 : 0,
        pick(["black", "white", "borderless"], roll(3)),
        pick(["2003", "2015", "future"], roll(3)),
        roll(6) === 0 ? `Face ${id}` : "",
      ],
    ),
    sets: generated("id,code,name,releaseDate,baseSetSize,type", 4, (id) => [
      id,
      pick(["DWN", "IRT", "VRT", "STL"], id - 1),
      pick(SETS, id - 1),
      `20${pad(10 + id * 2)}-0${id + 1}-14`,
      120 + id * 31,
      pick(["core", "expansion"], id),
    ]),
    legalities: generated("id,uuid,format,status", 90, (id) => [
      id,
      `u${1001 + ((id * 7) % 36)}`,
      pick(["vintage", "modern", "commander", "legacy"], id % 4),
      pick(["Legal", "Legal", "Banned", "Restricted"], roll(4)),
    ]),
    rulings: generated("id,uuid,date,text", 40, (id) => [
      id,
      `u${1001 + roll(36)}`,
      `20${pad(11 + roll(10))}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      pick(["This ability triggers only once.", "The copy has the same cost.", "Tokens are not affected."], roll(3)),
    ]),
    set_translations: generated("id,setCode,language,translation", 12, (id) => [
      id,
      pick(["DWN", "IRT", "VRT", "STL"], Math.floor((id - 1) / 3)),
      pick(["German", "French", "Italian"], id % 3),
      id % 4 === 0 ? "" : `Übersetzung ${id}`,
    ]),
  },
  questions: [
    {
      ask: "How many cards can be found in foil and have a mana cost of 5?",
      gold: "SELECT count(*) FROM cards WHERE hasFoil=1 AND convertedCost=5",
    },
    {
      ask: "List the names of the cards illustrated by the artist Lena Ashe that have a black border.",
      gold: "SELECT name FROM cards WHERE artist='Lena Ashe' AND borderColor='black'",
    },
    {
      ask: "What is the percentage of borderless cards?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE borderColor='borderless')/count(*) FROM cards",
    },
    {
      ask: "How many cards are banned in the modern format?",
      gold: "SELECT count(DISTINCT uuid) FROM cards JOIN legalities USING (uuid) WHERE status='Banned' AND format='modern'",
    },
    {
      ask: "Which set has the largest base set size? Give the set name.",
      gold: "SELECT name FROM sets ORDER BY baseSetSize DESC LIMIT 1",
    },
    {
      ask: 'What is the Italian translation of the set "Iron Tide"?',
      gold: "SELECT translation FROM set_translations t JOIN sets s ON t.setCode=s.code WHERE language='Italian' AND s.name='Iron Tide'",
    },
    { ask: "When was the set Verdant Rite released?", gold: "SELECT releaseDate FROM sets WHERE name='Verdant Rite'" },
    {
      ask: "How many cards with infinite power, that is with power '*', are there?",
      gold: "SELECT count(*) FROM cards WHERE power='*'",
    },
    {
      ask: "Which artist illustrated the most rare cards?",
      gold: "WITH c AS (SELECT artist, count(*) n FROM cards WHERE rarity='rare' GROUP BY 1) SELECT artist FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "Give the ruling dates of the card Sunblade.",
      gold: "SELECT date FROM rulings JOIN cards USING (uuid) WHERE name='Sunblade'",
    },
    {
      ask: "How many mythic cards belong to the set Dawnfall?",
      gold: "SELECT count(*) FROM cards c JOIN sets s ON c.setCode=s.code WHERE rarity='mythic' AND s.name='Dawnfall'",
    },
    {
      ask: "What is the average mana cost of reprinted cards?",
      gold: "SELECT avg(convertedCost) FROM cards WHERE isReprint=1",
    },
    { ask: "How many cards have a face name?", gold: "SELECT count(*) FROM cards WHERE faceName IS NOT NULL" },
    {
      ask: "List the formats in which Copper Golem is legal.",
      gold: "SELECT DISTINCT format FROM legalities JOIN cards USING (uuid) WHERE name='Copper Golem' AND status='Legal'",
    },
    {
      ask: "How many cards have a future frame version and a common rarity?",
      gold: "SELECT count(*) FROM cards WHERE frameVersion='future' AND rarity='common'",
    },
    {
      ask: "What is the ratio of foil cards to non-foil cards?",
      gold: "SELECT count(*) FILTER (WHERE hasFoil=1)*1.0/count(*) FILTER (WHERE hasFoil=0) FROM cards",
    },
    { ask: "How many rulings were issued after 2015?", gold: "SELECT count(*) FROM rulings WHERE date>='2016-01-01'" },
    {
      ask: "Name the cards that are restricted in vintage format and have a mana cost above 4.",
      gold: "SELECT DISTINCT name FROM cards JOIN legalities USING (uuid) WHERE status='Restricted' AND format='vintage' AND convertedCost>4",
    },
  ],
};
