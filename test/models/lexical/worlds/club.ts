import { dice, generated, pick, type World } from "./world.js";

const FIRST = [
  "Adele",
  "Bryce",
  "Connor",
  "Delia",
  "Elijah",
  "Faye",
  "Garrett",
  "Holly",
  "Ian",
  "Jade",
  "Kyle",
  "Luisa",
];
const LAST = ["Stone", "Hunter", "Hill", "Marsh", "Allen", "Brook", "Gerke", "Wright", "Yates", "Ford", "Lowe", "Neri"];
const EVENTS = ["Fall Fair", "Spring Gala", "Budget Meeting", "Speaker Night", "Charity Run", "Winter Social"];
const roll = dice(71);
const pad = (value: number) => String(value).padStart(2, "0");

export const club: World = {
  name: "club",
  tables: {
    member: generated(
      "member_id,first_name,last_name,email,position,t_shirt_size,phone,zip,link_to_major",
      12,
      (id) => [
        `rec${id}M`,
        pick(FIRST, id - 1),
        pick(LAST, id - 1),
        `${pick(FIRST, id - 1).toLowerCase()}@club.example`,
        pick(["Member", "Member", "President", "Treasurer", "Member", "Secretary"], id),
        pick(["Small", "Medium", "Large", "X-Large"], roll(4)),
        `(555) 010-${1000 + id * 37}`,
        60601 + roll(4),
        `rec${1 + roll(4)}J`,
      ],
    ),
    major:
      "major_id,major_name,department,college\nrec1J,Civil Engineering,Engineering Department,College of Engineering\nrec2J,Botany,Biology Department,College of Science\nrec3J,Finance,Economics Department,School of Business\nrec4J,Music,Arts Department,College of Arts",
    zip_code:
      "zip_code,type,city,county,state,short_state\n60601,Standard,Springville,Cook County,Illinois,IL\n60602,PO Box,Rivertown,Lake County,Illinois,IL\n60603,Standard,Hillford,Wayne County,Ohio,OH\n60604,Standard,Baywood,Kent County,Delaware,DE",
    event: generated("event_id,event_name,event_date,type,location,status", 6, (id) => [
      `rec${id}E`,
      pick(EVENTS, id - 1),
      `20${19 + (id % 2)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}T18:00:00`,
      pick(["Social", "Social", "Meeting", "Guest Speaker", "Community Service", "Social"], id - 1),
      pick(["MU 215", "Town Hall", ""], id),
      pick(["Open", "Closed", "Planning"], id),
    ]),
    attendance: generated("link_to_event,link_to_member", 38, (row) => [
      `rec${1 + (row % 6)}E`,
      `rec${1 + ((row * 5) % 12)}M`,
    ]),
    budget: generated("budget_id,category,spent,remaining,amount,link_to_event", 16, (id) => {
      const amount = 20 + roll(20) * 10;
      const spent = roll(amount * 100) / 100;
      return [
        `rec${id}B`,
        pick(["Food", "Advertisement", "Speaker Gifts", "Parking"], roll(4)),
        spent,
        Math.round((amount - spent) * 100) / 100,
        amount,
        `rec${1 + (id % 6)}E`,
      ];
    }),
    expense: generated(
      "expense_id,expense_description,expense_date,cost,approved,link_to_member,link_to_budget",
      30,
      (id) => [
        `rec${id}X`,
        pick(["Pizza", "Posters", "Water, chips, cookies", "Gift cards", "Parking fee"], roll(5)),
        `20${19 + roll(2)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
        5 + roll(9000) / 100,
        "true",
        `rec${1 + roll(12)}M`,
        `rec${1 + roll(16)}B`,
      ],
    ),
    income: generated("income_id,date_received,amount,source,notes,link_to_member", 14, (id) => [
      `rec${id}I`,
      `20${19 + roll(2)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      pick([50, 50, 200, 1000], roll(4)),
      pick(["Dues", "Fundraising", "School Appropriation", "Sponsorship"], roll(4)),
      "",
      `rec${1 + roll(12)}M`,
    ]),
  },
  questions: [
    {
      ask: "What's Delia Marsh's major?",
      gold: "SELECT major_name FROM member m JOIN major j ON m.link_to_major=j.major_id WHERE first_name='Delia' AND last_name='Marsh'",
    },
    {
      ask: 'How many members attended the "Charity Run" event?',
      gold: "SELECT count(DISTINCT link_to_member) FROM attendance a JOIN event e ON a.link_to_event=e.event_id WHERE event_name='Charity Run'",
    },
    {
      ask: "List the full names of all members whose major is Botany.",
      gold: "SELECT first_name, last_name FROM member m JOIN major j ON m.link_to_major=j.major_id WHERE major_name='Botany'",
    },
    {
      ask: "What is the total amount of the budget for Food?",
      gold: "SELECT sum(amount) FROM budget WHERE category='Food'",
    },
    {
      ask: "Which county is Connor Hill from?",
      gold: "SELECT county FROM member m JOIN zip_code z ON m.zip=z.zip_code WHERE first_name='Connor' AND last_name='Hill'",
    },
    { ask: "How many members wear a large t-shirt?", gold: "SELECT count(*) FROM member WHERE t_shirt_size='Large'" },
    { ask: "Give the phone number of the president.", gold: "SELECT phone FROM member WHERE position='President'" },
    {
      ask: "List the last names of the members from the School of Business.",
      gold: "SELECT last_name FROM member m JOIN major j ON m.link_to_major=j.major_id WHERE college='School of Business'",
    },
    {
      ask: "What was the total cost of the pizzas?",
      gold: "SELECT sum(cost) FROM expense WHERE expense_description='Pizza'",
    },
    {
      ask: "Which event had the highest attendance? Give the event name.",
      gold: "WITH c AS (SELECT event_name, count(*) n FROM attendance a JOIN event e ON a.link_to_event=e.event_id GROUP BY 1) SELECT event_name FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "How much did Garrett Gerke spend in total on expenses?",
      gold: "SELECT sum(cost) FROM expense e JOIN member m ON e.link_to_member=m.member_id WHERE first_name='Garrett' AND last_name='Gerke'",
    },
    {
      ask: "What is the status of the event called Spring Gala?",
      gold: "SELECT status FROM event WHERE event_name='Spring Gala'",
    },
    { ask: "How many events are of the type Social?", gold: "SELECT count(*) FROM event WHERE type='Social'" },
    {
      ask: "List the names of members who paid dues.",
      gold: "SELECT DISTINCT first_name, last_name FROM income i JOIN member m ON i.link_to_member=m.member_id WHERE source='Dues'",
    },
    {
      ask: "Which source brought in the most income?",
      gold: "WITH c AS (SELECT source, sum(amount) n FROM income GROUP BY 1) SELECT source FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is the percentage of the members from Illinois?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE state='Illinois')/count(*) FROM member m JOIN zip_code z ON m.zip=z.zip_code",
    },
    {
      ask: "Find the email addresses of members living in Kent County.",
      gold: "SELECT email FROM member m JOIN zip_code z ON m.zip=z.zip_code WHERE county='Kent County'",
    },
    {
      ask: "What was the income received by Holly Wright? List the sources and amounts.",
      gold: "SELECT source, amount FROM income i JOIN member m ON i.link_to_member=m.member_id WHERE first_name='Holly' AND last_name='Wright'",
    },
    { ask: "In which department is the major Music?", gold: "SELECT department FROM major WHERE major_name='Music'" },
    {
      ask: "Which events have status Open and took place in 2020?",
      gold: "SELECT event_name FROM event WHERE status='Open' AND year(event_date)=2020",
    },
  ],
};
