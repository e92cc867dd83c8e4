import { dice, generated, pick, type World } from "./world.js";

const roll = dice(53);
const pad = (value: number) => String(value).padStart(2, "0");
const REGIONS = ["north Moravia", "south Bohemia", "Prague", "east Moravia"];

export const bank: World = {
  name: "bank",
  knowledge: `# Data guide for the bank

### district
| column | description |
| --- | --- |
| district_id | identifier of the branch location |
| B2 | district name |
| B3 | region |
| B4 | number of inhabitants |
| B11 | average salary |
| B12 | unemployment rate in 1995 |

### account
- **frequency (text):** how statements are issued. 'POPLATEK MESICNE' stands for monthly issuance, 'POPLATEK TYDNE' stands for weekly issuance, 'POPLATEK PO OBRATU' stands for issuance after transaction.

### loan
- **status (text):** repayment status. 'A' stands for contract finished, no problems; 'B' stands for contract finished, loan not paid; 'C' stands for running contract, OK so far; 'D' stands for running contract, client in debt.
- **amount (integer):** approved amount in crowns.
- **duration (integer):** duration in months.

### client
- **gender (text):** F: female, M: male.
`,
  tables: {
    district: generated("district_id,B2,B3,B4,B11,B12", 8, (id) => [
      id,
      pick(["Praha", "Benesov", "Kladno", "Tabor", "Zlin", "Opava", "Brno", "Jesenik"], id - 1),
      pick(REGIONS, id),
      40000 + ((id * 7919) % 90000),
      8000 + ((id * 613) % 4000),
      roll(80) / 10,
    ]),
    client: generated("client_id,gender,birth_date,district_id", 50, (id) => [
      id,
      pick(["F", "M"], roll(2)),
      `19${pad(20 + roll(65))}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      1 + roll(8),
    ]),
    account: generated("account_id,district_id,frequency,date", 45, (id) => [
      id,
      1 + roll(8),
      pick(["POPLATEK MESICNE", "POPLATEK TYDNE", "POPLATEK PO OBRATU", "POPLATEK MESICNE"], roll(4)),
      `199${3 + roll(5)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
    ]),
    disp: generated("disp_id,client_id,account_id,type", 50, (id) => [
      id,
      id,
      1 + ((id - 1) % 45),
      id <= 45 ? "OWNER" : "DISPONENT",
    ]),
    loan: generated("loan_id,account_id,date,amount,duration,payments,status", 30, (id) => [
      4000 + id,
      1 + ((id * 4) % 45),
      `199${4 + roll(5)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      10000 + roll(400) * 500,
      pick([12, 24, 36, 48, 60], roll(5)),
      1000 + roll(7000),
      pick(["A", "B", "C", "D"], roll(4)),
    ]),
  },
  questions: [
    {
      ask: "How many female clients live in the Kladno district?",
      gold: "SELECT count(*) FROM client JOIN district USING (district_id) WHERE gender='F' AND B2='Kladno'",
    },
    { ask: "What is the average salary of the district Zlin?", gold: "SELECT B11 FROM district WHERE B2='Zlin'" },
    {
      ask: "How many accounts choose weekly issuance?",
      gold: "SELECT count(*) FROM account WHERE frequency='POPLATEK TYDNE'",
    },
    {
      ask: "What is the total amount of loans whose contract is running with the client in debt?",
      gold: "SELECT sum(amount) FROM loan WHERE status='D'",
    },
    {
      ask: "Which district has the highest unemployment rate in 1995?",
      gold: "SELECT B2 FROM district ORDER BY B12 DESC LIMIT 1",
    },
    {
      ask: "For loans with a duration of 24 months, what is the average approved amount?",
      gold: "SELECT avg(amount) FROM loan WHERE duration=24",
    },
    {
      ask: "How many accounts were opened in 1995 in the Prague region?",
      gold: "SELECT count(*) FROM account a JOIN district USING (district_id) WHERE year(date)=1995 AND B3='Prague'",
    },
    {
      ask: "What percentage of loans were finished with no problems?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE status='A')/count(*) FROM loan",
    },
    {
      ask: "List the account IDs with monthly issuance that have a loan of more than 150000.",
      gold: "SELECT DISTINCT account_id FROM account JOIN loan USING (account_id) WHERE frequency='POPLATEK MESICNE' AND amount>150000",
    },
    {
      ask: "Who is the owner of the account with the largest loan amount? Give the client id.",
      gold: "SELECT client_id FROM loan JOIN disp USING (account_id) WHERE type='OWNER' AND amount=(SELECT max(amount) FROM loan)",
    },
    { ask: "How many inhabitants does the district of Opava have?", gold: "SELECT B4 FROM district WHERE B2='Opava'" },
    {
      ask: "What is the gender of the oldest client who owns an account?",
      gold: "SELECT gender FROM client JOIN disp USING (client_id) WHERE type='OWNER' ORDER BY birth_date LIMIT 1",
    },
    {
      ask: "How many male clients were born in the 1950s?",
      gold: "SELECT count(*) FROM client WHERE gender='M' AND year(birth_date) BETWEEN 1950 AND 1959",
    },
    {
      ask: "What is the ratio of male to female clients?",
      gold: "SELECT count(*) FILTER (WHERE gender='M')*1.0/count(*) FILTER (WHERE gender='F') FROM client",
    },
  ],
};
