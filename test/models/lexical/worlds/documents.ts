import { dice, generated, pick, type World } from "./world.js";

const roll = dice(101);
const pad = (value: number) => String(value).padStart(2, "0");

/** Definitions, codes and facts that only documents have. */
export const observatory: World = {
  name: "observatory",
  knowledge: `# Observatory handbook

See doc/handbook.md for the station rules.

- A clear night is a night with cloud_cover below 20.
- Reliable readings are those with quality_flag = 'Q1'.
- **Signal gain:** \`peak_flux - base_flux\`.
`,
  documents: {
    "doc/handbook.md": `# Station handbook

## Equipment

The main dome houses a reflector. The mirror diameter is 2.4 m. The warranty period of the camera is 36 months.

## Visiting

- Opening hours: 18:00 to 23:00
- Maximum group size: 25
- Contact person: Dr. Ilse Brandt

## Codes

Observers use short codes for the sky: \`P\` means photometric, \`S\` means spectroscopic and \`C\` means cloudy.
`,
  },
  tables: {
    nights: generated("night_id,obs_date,observer,sky_code,cloud_cover,quality_flag,base_flux,peak_flux", 80, (id) => {
      const base = 10 + roll(100);
      return [
        id,
        `202${roll(3)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
        pick(["Orla Finn", "Petra Vos", "Sam Ode"], roll(3)),
        pick(["P", "S", "C"], roll(3)),
        roll(100),
        pick(["Q1", "Q2", "Q3"], roll(3)),
        base,
        base + roll(300),
      ];
    }),
  },
  questions: [
    { ask: "How many clear nights were there?", gold: "SELECT count(*) FROM nights WHERE cloud_cover<20" },
    {
      ask: "What is the average signal gain of the reliable readings?",
      gold: "SELECT avg(peak_flux-base_flux) FROM nights WHERE quality_flag='Q1'",
    },
    {
      ask: "How many photometric nights did Petra Vos observe?",
      gold: "SELECT count(*) FROM nights WHERE sky_code='P' AND observer='Petra Vos'",
    },
    { ask: "What is the mirror diameter of the main dome's reflector?", gold: "SELECT '2.4 m'" },
    { ask: "Who is the contact person for visits?", gold: "SELECT 'Dr. Ilse Brandt'" },
    { ask: "What is the maximum group size?", gold: "SELECT 25" },
    { ask: "How many months is the warranty period of the camera?", gold: "SELECT 36" },
    {
      ask: "Which observer had the most cloudy nights?",
      gold: "WITH c AS (SELECT observer, count(*) n FROM nights WHERE sky_code='C' GROUP BY 1) SELECT observer FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is the maximum signal gain in 2021?",
      gold: "SELECT max(peak_flux-base_flux) FROM nights WHERE year(obs_date)=2021",
    },
    {
      ask: "What percentage of the nights in 2020 were clear nights?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE cloud_cover<20)/count(*) FROM nights WHERE year(obs_date)=2020",
    },
  ],
};
