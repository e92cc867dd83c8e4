import { dice, generated, pick, type World } from "./world.js";

const SCHOOLS = [
  "Elm Street Elementary",
  "Ridge High",
  "Bayview Middle",
  "Cedar Charter Academy",
  "Lincoln High",
  "Dover Elementary",
  "Monroe Continuation",
  "Pioneer High",
  "Sierra Vista Middle",
  "Arroyo Charter",
  "Canyon High",
  "Westbrook Elementary",
];
const roll = dice(83);

export const districts: World = {
  name: "districts",
  knowledge: `# Guide

- **Eligible free rate:** \`"Free Meal Count (K-12)" / "Enrollment (K-12)"\`.
- **Excellence rate:** \`NumGE1500 / NumTstTakr\`.
- **NumGE1500:** number of test takers whose total SAT score is greater or equal to 1500.
- **NumTstTakr:** number of test takers.
- **AvgScrMath:** average score in Math. **AvgScrRead:** average score in Reading.
`,
  tables: {
    frpm: generated(
      `CDSCode,"School Name","County Name","Charter School (Y/N)","Enrollment (K-12)","Free Meal Count (K-12)","Low Grade","High Grade"`,
      12,
      (id) => {
        const size = 200 + roll(1800);
        return [
          `0110${1000 + id}`,
          pick(SCHOOLS, id - 1),
          pick(["Alder", "Birch", "Cypress"], id),
          pick(["0", "1"], id % 4 === 0 ? 1 : 0),
          size,
          roll(size),
          pick(["K", "9", "6"], id),
          pick(["5", "12", "8"], id),
        ];
      },
    ),
    satscores: generated("cds,sname,dname,enroll12,NumTstTakr,AvgScrRead,AvgScrMath,NumGE1500", 12, (id) => {
      const takers = 20 + roll(300);
      return [
        `0110${1000 + id}`,
        pick(SCHOOLS, id - 1),
        pick(["Alder Unified", "Birch City", "Cypress Union"], id),
        takers + roll(100),
        takers,
        380 + roll(220),
        380 + roll(240),
        roll(takers),
      ];
    }),
    schools: generated(
      "CDSCode,StatusType,County,School,Street,City,Zip,Phone,Website,OpenDate,FundingType,Charter,Latitude,Longitude,AdmFName1,AdmLName1",
      12,
      (id) => [
        `0110${1000 + id}`,
        pick(["Active", "Active", "Closed"], id),
        pick(["Alder", "Birch", "Cypress"], id),
        pick(SCHOOLS, id - 1),
        `${100 + id} Main Street`,
        pick(["Alderton", "Birchwood", "Port Cypress"], id),
        `9${4000 + id * 11}`,
        `(510) 555-0${100 + id}`,
        `www.school${id}.example`,
        `19${70 + id * 2}-09-0${1 + roll(9)}`,
        pick(["Directly funded", "Locally funded", ""], id),
        id % 4 === 0 ? 1 : 0,
        37 + roll(1000) / 1000,
        -122 + roll(1000) / 1000,
        pick(["Amy", "Ken", "Rita", "Paul"], roll(4)),
        pick(["Lopez", "Tran", "Reed"], roll(3)),
      ],
    ),
  },
  questions: [
    {
      ask: "What is the highest eligible free rate for students in the schools in Alder County?",
      gold: `SELECT max("Free Meal Count (K-12)"*1.0/"Enrollment (K-12)") FROM frpm WHERE "County Name"='Alder'`,
    },
    {
      ask: "Please list the phone numbers of the schools with an average math score over 500.",
      gold: "SELECT Phone FROM schools s JOIN satscores a ON s.CDSCode=a.cds WHERE AvgScrMath>500",
    },
    {
      ask: "How many schools in Birch are directly funded?",
      gold: "SELECT count(*) FROM schools WHERE County='Birch' AND FundingType='Directly funded'",
    },
    {
      ask: "What is the phone number of the school that has the highest number of test takers whose total SAT scores are greater or equal to 1500?",
      gold: "SELECT Phone FROM schools s JOIN satscores a ON s.CDSCode=a.cds ORDER BY NumGE1500 DESC LIMIT 1",
    },
    {
      ask: "What are the zip codes of all the charter schools in Cypress County?",
      gold: "SELECT Zip FROM schools WHERE Charter=1 AND County='Cypress'",
    },
    {
      ask: "How many active schools are there in Port Cypress?",
      gold: "SELECT count(*) FROM schools WHERE StatusType='Active' AND City='Port Cypress'",
    },
    {
      ask: "What is the excellence rate of Lincoln High?",
      gold: "SELECT NumGE1500*1.0/NumTstTakr FROM satscores WHERE sname='Lincoln High'",
    },
    {
      ask: "Which school has the lowest average score in reading?",
      gold: "SELECT sname FROM satscores ORDER BY AvgScrRead LIMIT 1",
    },
    {
      ask: "List the names of the schools with a K-12 enrollment greater than 1000.",
      gold: `SELECT "School Name" FROM frpm WHERE "Enrollment (K-12)">1000`,
    },
    { ask: "When did Ridge High open?", gold: "SELECT OpenDate FROM schools WHERE School='Ridge High'" },
    {
      ask: "What is the website of the school administrated by Rita Lopez?",
      gold: "SELECT Website FROM schools WHERE AdmFName1='Rita' AND AdmLName1='Lopez'",
    },
    {
      ask: "How many schools opened before 1985 in Alder County?",
      gold: "SELECT count(*) FROM schools WHERE County='Alder' AND OpenDate<'1985-01-01'",
    },
    {
      ask: "What is the full street address of Bayview Middle? Give the street, city and zip.",
      gold: "SELECT Street, City, Zip FROM schools WHERE School='Bayview Middle'",
    },
    {
      ask: "What is the average number of test takers per district?",
      gold: "SELECT avg(n) FROM (SELECT dname, sum(NumTstTakr) n FROM satscores GROUP BY 1)",
    },
  ],
};
