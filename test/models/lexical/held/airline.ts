import { dice, generated, pick, type World } from "../worlds/world.js";

const roll = dice(211);
const pad = (value: number) => String(value).padStart(2, "0");
const CITIES = ["Porto", "Ghent", "Turin", "Malmo", "Graz", "Brno", "Bergen"];
const NAMES = [
  "Ada Quist",
  "Bram Voss",
  "Cleo Marin",
  "Dov Adler",
  "Esme Falk",
  "Finn Okoro",
  "Gita Rao",
  "Hank Boyle",
  "Ivy Tran",
];

export const airline: World = {
  name: "airline",
  tables: {
    airports: generated("airport_code,airport_name,city,country,elevation_ft,runways", 7, (id) => [
      `${pick(CITIES, id - 1)
        .slice(0, 3)
        .toUpperCase()}`,
      `${pick(CITIES, id - 1)} International`,
      pick(CITIES, id - 1),
      pick(["Portugal", "Belgium", "Italy", "Sweden", "Austria", "Czech Republic", "Norway"], id - 1),
      10 + ((id * 331) % 1700),
      1 + (id % 3),
    ]),
    aircraft:
      "tail_number,model,manufacturer,seats,delivered\nN100A,A320,Airbus,180,2011-05-02\nN101A,A320,Airbus,180,2014-03-15\nN200B,B737,Boeing,162,2009-11-30\nN201B,B737,Boeing,162,2016-07-07\nN300E,E190,Embraer,100,2018-01-21\nN301E,E195,Embraer,124,2019-09-09",
    flights: generated(
      "flight_id,flight_number,origin_airport,destination_airport,tail_number,departure_date,distance_km,delay_minutes,status",
      80,
      (id) => {
        const from = roll(7);
        const to = (from + 1 + roll(6)) % 7;
        return [
          id,
          `KX${100 + (id % 23)}`,
          pick(CITIES, from).slice(0, 3).toUpperCase(),
          pick(CITIES, to).slice(0, 3).toUpperCase(),
          pick(["N100A", "N101A", "N200B", "N201B", "N300E"], roll(5)),
          `202${2 + roll(2)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
          300 + roll(2400),
          roll(3) === 0 ? 0 : roll(140),
          pick(["Landed", "Landed", "Landed", "Cancelled", "Diverted"], roll(5)),
        ];
      },
    ),
    pilots: generated("pilot_id,pilot_name,hire_date,rank,hours_flown,base_airport", 9, (id) => [
      id,
      pick(NAMES, id - 1),
      `20${pad(5 + roll(15))}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      pick(["Captain", "First Officer"], roll(2)),
      800 + roll(12000),
      pick(CITIES, roll(7)).slice(0, 3).toUpperCase(),
    ]),
    crew_assignments: generated("flight_id,pilot_id,role", 150, (row) => [
      1 + ((row * 7) % 80),
      1 + ((row * 5 + Math.floor(row / 80)) % 9),
      row % 2 ? "commander" : "co-pilot",
    ]),
  },
  questions: [
    {
      ask: "How many flights were diverted in 2023?",
      gold: "SELECT count(*) FROM flights WHERE status='Diverted' AND year(departure_date)=2023",
    },
    {
      ask: "What is the average delay of flights departing from Porto?",
      gold: "SELECT avg(delay_minutes) FROM flights f JOIN airports a ON f.origin_airport=a.airport_code WHERE city='Porto'",
    },
    {
      ask: "Which aircraft model has the most seats?",
      gold: "SELECT DISTINCT model FROM aircraft WHERE seats=(SELECT max(seats) FROM aircraft) ",
    },
    {
      ask: "List the names of captains with more than 5000 hours flown.",
      gold: "SELECT pilot_name FROM pilots WHERE rank='Captain' AND hours_flown>5000",
    },
    {
      ask: "Which airport is at the highest elevation?",
      gold: "SELECT airport_name FROM airports ORDER BY elevation_ft DESC LIMIT 1",
    },
    {
      ask: "How many flights did Esme Falk fly as commander?",
      gold: "SELECT count(DISTINCT flight_id) FROM crew_assignments JOIN pilots USING (pilot_id) WHERE pilot_name='Esme Falk' AND role='commander'",
    },
    {
      ask: "What is the total distance flown by the aircraft N100A?",
      gold: "SELECT sum(distance_km) FROM flights WHERE tail_number='N100A'",
    },
    {
      ask: "Which manufacturer's aircraft operated the largest number of flights?",
      gold: "WITH c AS (SELECT manufacturer, count(*) n FROM flights JOIN aircraft USING (tail_number) GROUP BY 1) SELECT manufacturer FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What percentage of all flights were cancelled?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE status='Cancelled')/count(*) FROM flights",
    },
    {
      ask: "Show each destination airport with its number of arriving flights.",
      gold: "SELECT destination_airport, count(*) FROM flights GROUP BY 1",
    },
    {
      ask: "Which aircraft have never been used on a flight? Give their tail numbers.",
      gold: "SELECT tail_number FROM aircraft WHERE tail_number NOT IN (SELECT tail_number FROM flights)",
    },
    { ask: "Who was hired most recently?", gold: "SELECT pilot_name FROM pilots ORDER BY hire_date DESC LIMIT 1" },
    {
      ask: "How many flights longer than 2000 km were delayed by more than an hour?",
      gold: "SELECT count(*) FROM flights WHERE distance_km>2000 AND delay_minutes>60",
    },
    {
      ask: "Name the country of the airport with code GRA.",
      gold: "SELECT country FROM airports WHERE airport_code='GRA'",
    },
    {
      ask: "What was the longest delay, in minutes, on flight number KX110?",
      gold: "SELECT max(delay_minutes) FROM flights WHERE flight_number='KX110'",
    },
    {
      ask: "How many seats do the Airbus aircraft have on average?",
      gold: "SELECT avg(seats) FROM aircraft WHERE manufacturer='Airbus'",
    },
    {
      ask: "How many first officers are based at BER?",
      gold: "SELECT count(*) FROM pilots WHERE rank='First Officer' AND base_airport='BER'",
    },
    {
      ask: "Which aircraft were delivered between 2010 and 2016? List tail number and model.",
      gold: "SELECT tail_number, model FROM aircraft WHERE year(delivered) BETWEEN 2010 AND 2016",
    },
    {
      ask: "Which pilots flew more than 15 flights?",
      gold: "SELECT pilot_name FROM crew_assignments JOIN pilots USING (pilot_id) GROUP BY pilot_id, pilot_name HAVING count(*)>15",
    },
    {
      ask: "Compare the number of Boeing flights with the number of Airbus flights: how many more did Boeing aircraft make?",
      gold: "SELECT count(*) FILTER (WHERE manufacturer='Boeing')-count(*) FILTER (WHERE manufacturer='Airbus') FROM flights JOIN aircraft USING (tail_number)",
    },
  ],
};
