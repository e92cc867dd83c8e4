import { dice, generated, pick, type World } from "../worlds/world.js";

const roll = dice(223);
const pad = (value: number) => String(value).padStart(2, "0");
const BANDS = [
  "Glass Harbor",
  "The Tin Foxes",
  "Mono Lake",
  "Velvet Anchor",
  "Sister Comet",
  "Paper Tigers",
  "Low Orbit",
  "Nine Lives",
  "Blue Static",
  "Kites",
];

export const festival: World = {
  name: "festival",
  knowledge: `# Festival database

## Fields
- **bandId (integer):** unique id of the band.
- **bandName (text):** name of the band.
- **genreCode (text):** genre of the band. Codes: R = rock, J = jazz, E = electronic, F = folk.
- **feeEur (integer):** performance fee in euros.
- **isHeadliner (integer):** 1 if the band is a headliner of the festival, 0 otherwise.
- **attendance (integer):** people who came to the show.

## Metrics
- **Fee per visitor:** \`feeEur / attendance\`
- A sold-out show is a show whose attendance equals the stage capacity.
- Big shows are shows with attendance of at least 2000.
`,
  tables: {
    bands: generated("bandId,bandName,genreCode,originCity,formedYear,isHeadliner", 10, (id) => [
      id,
      pick(BANDS, id - 1),
      pick(["R", "J", "E", "F"], roll(4)),
      pick(["Lyon", "Leeds", "Krakow"], roll(3)),
      1985 + roll(36),
      roll(3) === 0 ? 1 : 0,
    ]),
    stages: "stageId,stageName,capacity,indoor\n1,Main Stage,5000,0\n2,Tent,1800,1\n3,Lakeside,2500,0\n4,Club,600,1",
    shows: generated("showId,bandId,stageId,showDate,startTime,attendance,feeEur,rating", 44, (id) => {
      const stage = 1 + roll(4);
      const cap = [5000, 1800, 2500, 600][stage - 1] ?? 0;
      return [
        id,
        1 + roll(10),
        stage,
        `202${1 + roll(3)}-07-${pad(10 + roll(5))}`,
        `${14 + roll(9)}:${pick(["00", "30"], roll(2))}`,
        roll(5) === 0 ? cap : Math.floor(cap * (0.3 + roll(60) / 100)),
        1000 + roll(60) * 250,
        roll(9) === 0 ? "" : (50 + roll(50)) / 10,
      ];
    }),
    sponsors:
      "sponsorId,sponsorName,stageId,amountEur,year\n1,Nordbrew,1,40000,2021\n2,Soundly,2,12000,2021\n3,Nordbrew,1,45000,2022\n4,Bankomat,3,22000,2022\n5,Soundly,4,9000,2023\n6,Nordbrew,3,30000,2023",
  },
  questions: [
    { ask: "How many jazz bands are there?", gold: "SELECT count(*) FROM bands WHERE genreCode='J'" },
    {
      ask: "Which band played the most shows?",
      gold: "WITH c AS (SELECT bandName, count(*) n FROM shows JOIN bands USING (bandId) GROUP BY 1) SELECT bandName FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is the average fee per visitor on the Main Stage?",
      gold: "SELECT avg(feeEur*1.0/attendance) FROM shows JOIN stages USING (stageId) WHERE stageName='Main Stage'",
    },
    {
      ask: "List the headliners from Leeds.",
      gold: "SELECT bandName FROM bands WHERE isHeadliner=1 AND originCity='Leeds'",
    },
    {
      ask: "How many big shows took place in 2022?",
      gold: "SELECT count(*) FROM shows WHERE attendance>=2000 AND year(showDate)=2022",
    },
    {
      ask: "What was the total attendance at the Tent?",
      gold: "SELECT sum(attendance) FROM shows JOIN stages USING (stageId) WHERE stageName='Tent'",
    },
    { ask: "Which stage has the smallest capacity?", gold: "SELECT stageName FROM stages ORDER BY capacity LIMIT 1" },
    {
      ask: "What is the highest rated show's band and rating?",
      gold: "SELECT bandName, rating FROM shows JOIN bands USING (bandId) WHERE rating=(SELECT max(rating) FROM shows)",
    },
    {
      ask: "How much money did Nordbrew give in total?",
      gold: "SELECT sum(amountEur) FROM sponsors WHERE sponsorName='Nordbrew'",
    },
    { ask: "How many shows have no rating?", gold: "SELECT count(*) FROM shows WHERE rating IS NULL" },
    { ask: "When was the oldest band formed?", gold: "SELECT min(formedYear) FROM bands" },
    {
      ask: "What is the average rating of electronic bands' shows?",
      gold: "SELECT avg(rating) FROM shows JOIN bands USING (bandId) WHERE genreCode='E'",
    },
    {
      ask: "What percentage of shows on indoor stages had an attendance above 1000?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE attendance>1000)/count(*) FROM shows JOIN stages USING (stageId) WHERE indoor=1",
    },
    {
      ask: "Which bands were formed before 2000? Give their names and cities of origin.",
      gold: "SELECT bandName, originCity FROM bands WHERE formedYear<2000",
    },
    {
      ask: "For every year, what is the total sponsorship amount?",
      gold: "SELECT year, sum(amountEur) FROM sponsors GROUP BY 1",
    },
    {
      ask: "Which sponsor gave more, Soundly or Bankomat?",
      gold: "SELECT sponsorName FROM sponsors WHERE sponsorName IN ('Soundly','Bankomat') GROUP BY 1 ORDER BY sum(amountEur) DESC LIMIT 1",
    },
    {
      ask: "What are the top 5 shows by attendance? List the show ids.",
      gold: "SELECT showId FROM shows ORDER BY attendance DESC LIMIT 5",
    },
    {
      ask: "How many different bands performed at the Club?",
      gold: "SELECT count(DISTINCT bandId) FROM shows JOIN stages USING (stageId) WHERE stageName='Club'",
    },
  ],
};
