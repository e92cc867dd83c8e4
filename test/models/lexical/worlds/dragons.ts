import { dice, generated, pick, type World } from "./world.js";

const NAMES = [
  "Aldra",
  "Brimstone",
  "Cinder Queen",
  "Dusk-9",
  "Ember",
  "Frostbite",
  "Gale",
  "Hollow King",
  "Iron Wing",
  "Jade Serpent",
  "Kestrel",
  "Lumen",
  "Mire",
  "Night Howl",
  "Obsidian",
  "Pyre",
  "Quill",
  "Rime",
  "Saffron",
  "Tempest",
  "Umbra",
  "Vesper",
  "Wyrm Lord",
  "Xanthe",
  "Yarrow",
  "Zephyr",
];
const KEEPERS = ["Mira Holt", "Jon Ackley", "Tess Varga", "", "Oren Pike", "Lena Moss"];
const COLOURS = ["No Colour", "Amber", "Black", "Blue", "Bronze", "Gold", "Green", "Red", "Silver", "White"];
const SKILLS = [
  "Fire Breath",
  "Flight",
  "Stone Skin",
  "Invisibility",
  "Poison Bite",
  "Mind Reading",
  "Night Vision",
  "Water Walking",
];
const roll = dice(7);

export const dragons: World = {
  name: "dragons",
  tables: {
    dragon: generated(
      "id,dragon_name,keeper_name,sex_id,eye_colour_id,scale_colour_id,nest_id,temper_id,length_m,mass_kg",
      NAMES.length,
      (id) => [
        id,
        pick(NAMES, id - 1),
        pick(KEEPERS, roll(6)),
        1 + roll(2),
        1 + roll(10),
        1 + roll(10),
        1 + roll(5),
        1 + roll(3),
        roll(9) === 0 ? "" : 5 + roll(40),
        roll(8) === 0 ? 0 : 300 + roll(4000),
      ],
    ),
    colour: generated("id,colour", COLOURS.length, (id) => [id, pick(COLOURS, id - 1)]),
    sex: "id,sex\n1,Male\n2,Female",
    temper: "id,temper\n1,Calm\n2,Fierce\n3,Neutral",
    nest: "id,nest_name,region\n1,Ashen Peak,North\n2,Coral Bay,South\n3,Deep Hollow,East\n4,Mist Vale,North\n5,Sun Mesa,West",
    skill: generated("id,skill_name", SKILLS.length, (id) => [id, pick(SKILLS, id - 1)]),
    dragon_skill: generated("dragon_id,skill_id", 78, (row) => [
      1 + ((row - 1) % 26),
      1 + ((row * 3 + Math.floor((row - 1) / 26) * 2 + (row % 5)) % 8),
    ]),
    trait: "id,trait_name\n1,Cunning\n2,Strength\n3,Speed\n4,Endurance",
    dragon_trait: generated("dragon_id,trait_id,trait_value", 104, (row) => [
      1 + Math.floor((row - 1) / 4),
      1 + ((row - 1) % 4),
      5 + ((row * 37) % 96),
    ]),
  },
  questions: [
    {
      ask: "How many dragons have blue eyes?",
      gold: "SELECT count(*) FROM dragon d JOIN colour c ON d.eye_colour_id=c.id WHERE c.colour='Blue'",
    },
    {
      ask: "What is the name of the longest dragon?",
      gold: "SELECT dragon_name FROM dragon WHERE length_m=(SELECT max(length_m) FROM dragon)",
    },
    {
      ask: "List the skills of Cinder Queen.",
      gold: "SELECT skill_name FROM dragon d JOIN dragon_skill ds ON d.id=ds.dragon_id JOIN skill s ON s.id=ds.skill_id WHERE dragon_name='Cinder Queen'",
    },
    {
      ask: "What is the average mass of female dragons?",
      gold: "SELECT avg(mass_kg) FROM dragon d JOIN sex s ON d.sex_id=s.id WHERE sex='Female'",
    },
    {
      ask: "What percentage of dragons are fierce?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE temper='Fierce')/count(*) FROM dragon d JOIN temper t ON d.temper_id=t.id",
    },
    {
      ask: "Which dragon has the highest strength?",
      gold: "SELECT dragon_name FROM dragon d JOIN dragon_trait dt ON d.id=dt.dragon_id JOIN trait t ON t.id=dt.trait_id WHERE trait_name='Strength' AND trait_value=(SELECT max(trait_value) FROM dragon_trait dt JOIN trait t ON t.id=dt.trait_id WHERE trait_name='Strength')",
    },
    {
      ask: "Among the dragons that live in Ashen Peak, how many of them are longer than 20 m?",
      gold: "SELECT count(*) FROM dragon d JOIN nest n ON d.nest_id=n.id WHERE nest_name='Ashen Peak' AND length_m>20",
    },
    {
      ask: "Give the scale colour of the dragon named Frostbite.",
      gold: "SELECT colour FROM dragon d JOIN colour c ON d.scale_colour_id=c.id WHERE dragon_name='Frostbite'",
    },
    {
      ask: "How many male dragons have a mass of more than 1000kg?",
      gold: "SELECT count(*) FROM dragon d JOIN sex s ON d.sex_id=s.id WHERE sex='Male' AND mass_kg>1000",
    },
    {
      ask: "Which skill do the most dragons have?",
      gold: "WITH c AS (SELECT skill_name, count(DISTINCT dragon_id) n FROM dragon_skill ds JOIN skill s ON s.id=ds.skill_id GROUP BY 1) SELECT skill_name FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What are the names of the dragons with the skill of mind reading?",
      gold: "SELECT DISTINCT dragon_name FROM dragon d JOIN dragon_skill ds ON d.id=ds.dragon_id JOIN skill s ON s.id=ds.skill_id WHERE skill_name='Mind Reading'",
    },
    {
      ask: "What is the difference between the number of calm dragons and fierce dragons?",
      gold: "SELECT count(*) FILTER (WHERE temper='Calm') - count(*) FILTER (WHERE temper='Fierce') FROM dragon d JOIN temper t ON d.temper_id=t.id",
    },
    { ask: "How many dragons have missing length data?", gold: "SELECT count(*) FROM dragon WHERE length_m IS NULL" },
    {
      ask: "What is the ratio of male dragons to female dragons?",
      gold: "SELECT count(*) FILTER (WHERE sex='Male')*1.0 / count(*) FILTER (WHERE sex='Female') FROM dragon d JOIN sex s ON d.sex_id=s.id",
    },
    {
      ask: "List the names and lengths of the five heaviest dragons.",
      gold: "SELECT dragon_name, length_m FROM dragon ORDER BY mass_kg DESC LIMIT 5",
    },
    {
      ask: "Name all the dragons with gold eyes and black scales.",
      gold: "SELECT dragon_name FROM dragon d JOIN colour e ON d.eye_colour_id=e.id JOIN colour s ON d.scale_colour_id=s.id WHERE e.colour='Gold' AND s.colour='Black'",
    },
    {
      ask: "Which region has the most nests?",
      gold: "SELECT region FROM nest GROUP BY region ORDER BY count(*) DESC LIMIT 1",
    },
    {
      ask: "What is the total mass of the dragons in the North region?",
      gold: "SELECT sum(mass_kg) FROM dragon d JOIN nest n ON d.nest_id=n.id WHERE region='North'",
    },
    {
      ask: "How many dragons are there in each nest? List the nest name and the number of dragons.",
      gold: "SELECT nest_name, count(*) FROM dragon d JOIN nest n ON d.nest_id=n.id GROUP BY nest_name",
    },
    { ask: "Who is the keeper of Iron Wing?", gold: "SELECT keeper_name FROM dragon WHERE dragon_name='Iron Wing'" },
    {
      ask: "What is the average speed of all calm dragons?",
      gold: "SELECT avg(trait_value) FROM dragon d JOIN dragon_trait dt ON d.id=dt.dragon_id JOIN trait t ON t.id=dt.trait_id JOIN temper te ON d.temper_id=te.id WHERE trait_name='Speed' AND temper='Calm'",
    },
    {
      ask: "How many skills does Obsidian have?",
      gold: "SELECT count(*) FROM dragon d JOIN dragon_skill ds ON d.id=ds.dragon_id WHERE dragon_name='Obsidian'",
    },
    {
      ask: "Which dragons are heavier than the average mass of all dragons? List their names.",
      gold: "SELECT dragon_name FROM dragon WHERE mass_kg > (SELECT avg(mass_kg) FROM dragon)",
    },
    {
      ask: "List the dragons whose length is between 10 and 15 metres.",
      gold: "SELECT dragon_name FROM dragon WHERE length_m BETWEEN 10 AND 15",
    },
    {
      ask: 'Of the dragons in Coral Bay, what percentage can fly, that is, have the skill "Flight"?',
      gold: "SELECT 100.0*count(*) FILTER (WHERE d.id IN (SELECT dragon_id FROM dragon_skill ds JOIN skill s ON s.id=ds.skill_id WHERE skill_name='Flight'))/count(*) FROM dragon d JOIN nest n ON d.nest_id=n.id WHERE nest_name='Coral Bay'",
    },
    {
      ask: "What is the eye colour of the dragon with the lowest endurance?",
      gold: "SELECT colour FROM dragon d JOIN colour c ON d.eye_colour_id=c.id JOIN dragon_trait dt ON d.id=dt.dragon_id JOIN trait t ON t.id=dt.trait_id WHERE trait_name='Endurance' AND trait_value=(SELECT min(trait_value) FROM dragon_trait dt JOIN trait t ON t.id=dt.trait_id WHERE trait_name='Endurance')",
    },
  ],
};
