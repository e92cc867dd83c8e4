import { dice, generated, pick, type World } from "./world.js";

const roll = dice(31);
const pad = (value: number) => String(value).padStart(2, "0");

export const clinic: World = {
  name: "clinic",
  knowledge: `# Clinic data guide

## Core entities

### patient
- **pid (integer):** Identifier of the patient.
- **sex (text):** Sex of the patient; 'F' means female, 'M' means male.
- **adm (text):** Admission type: '+' indicates the patient was admitted to the hospital, '-' indicates the patient was followed at the outpatient clinic.
- **dx (text):** Diagnosis of the patient.
- **birthday (date):** Date of birth.

### lab
- **hgb (real):** Hemoglobin in g/dL.
- **glu (real):** Blood glucose in mg/dL.
- **chol (integer):** Total cholesterol.
- **uri (real):** Uric acid.

## Definitions
- **Normal glucose:** \`glu\` < 140.
- **Abnormal cholesterol:** \`chol\` >= 250.
- An elderly patient is a patient born before 1950.
- **Anemia rate:** \`100.0 * SUM(hgb < 11) / COUNT(*)\`.
`,
  tables: {
    patient: generated("pid,sex,birthday,first_visit,adm,dx", 40, (id) => [
      10000 + id * 7,
      pick(["F", "M", "F"], roll(3)),
      `19${pad(30 + roll(65))}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      `199${roll(9)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      pick(["+", "-"], roll(2)),
      pick(["SLE", "RA", "SJS", "APS", "RA, SJS"], roll(5)),
    ]),
    lab: generated("pid,exam_date,hgb,glu,chol,uri", 160, (row) => [
      10000 + (1 + ((row * 3) % 40)) * 7,
      `199${roll(9)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      8 + roll(80) / 10,
      roll(11) === 0 ? "" : 70 + roll(130),
      150 + roll(160),
      2 + roll(70) / 10,
    ]),
  },
  questions: [
    {
      ask: "How many female patients were admitted to the hospital?",
      gold: "SELECT count(*) FROM patient WHERE sex='F' AND adm='+'",
    },
    {
      ask: "How many patients diagnosed with SLE have abnormal cholesterol?",
      gold: "SELECT count(DISTINCT p.pid) FROM patient p JOIN lab l USING (pid) WHERE dx='SLE' AND chol>=250",
    },
    {
      ask: "What is the average hemoglobin of male patients?",
      gold: "SELECT avg(hgb) FROM patient JOIN lab USING (pid) WHERE sex='M'",
    },
    {
      ask: "What is the ratio of outpatient to admitted patients among women?",
      gold: "SELECT count(*) FILTER (WHERE adm='-')*1.0/count(*) FILTER (WHERE adm='+') FROM patient WHERE sex='F'",
    },
    {
      ask: "List the ID and sex of the elderly patients who were followed at the outpatient clinic.",
      gold: "SELECT pid, sex FROM patient WHERE birthday<'1950-01-01' AND adm='-'",
    },
    {
      ask: "What is the diagnosis of the patient with the highest uric acid level?",
      gold: "SELECT dx FROM patient JOIN lab USING (pid) WHERE uri=(SELECT max(uri) FROM lab)",
    },
    {
      ask: "How old is the oldest patient at the time of the first visit? Give the birthday.",
      gold: "SELECT min(birthday) FROM patient",
    },
    {
      ask: "What is the percentage of female patients born after 1930?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE sex='F')/count(*) FROM patient WHERE birthday>='1931-01-01'",
    },
    { ask: "What is the anemia rate?", gold: "SELECT 100.0*count(*) FILTER (WHERE hgb<11)/count(*) FROM lab" },
    {
      ask: "For the patients with normal glucose, what is the average total cholesterol?",
      gold: "SELECT avg(chol) FROM lab WHERE glu<140",
    },
    {
      ask: "How many lab examinations have no glucose measurement?",
      gold: "SELECT count(*) FROM lab WHERE glu IS NULL",
    },
    { ask: "When was the youngest patient with RA born?", gold: "SELECT max(birthday) FROM patient WHERE dx='RA'" },
    { ask: "In 1994, how many lab tests were done?", gold: "SELECT count(*) FROM lab WHERE year(exam_date)=1994" },
    {
      ask: "How many patients came for the first time between 1992 and 1995?",
      gold: "SELECT count(*) FROM patient WHERE year(first_visit) BETWEEN 1992 AND 1995",
    },
  ],
};
