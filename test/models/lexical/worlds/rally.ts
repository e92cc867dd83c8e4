import { dice, generated, pick, type World } from "./world.js";

const FIRST = [
  "Ana",
  "Boris",
  "Carla",
  "Dmitri",
  "Elsa",
  "Felipe",
  "Greta",
  "Hiro",
  "Ines",
  "Jakob",
  "Keiko",
  "Luis",
  "Maja",
  "Nils",
  "Olga",
  "Pedro",
  "Quentin",
  "Rosa",
];
const LAST = [
  "Alvarez",
  "Berg",
  "Costa",
  "Dahl",
  "Egger",
  "Fontaine",
  "Gruber",
  "Hayashi",
  "Ito",
  "Jansen",
  "Keller",
  "Lopez",
  "Meyer",
  "Novak",
  "Olsen",
  "Petit",
  "Quiroga",
  "Rossi",
];
const NATIONS = ["Spanish", "Norwegian", "Austrian", "Japanese", "French", "German"];
const TRACKS = [
  ["arctic_loop", "Arctic Loop", "Rovaniemi", "Finland", 66.5, 25.7, 120],
  ["alpine_pass", "Alpine Pass", "Innsbruck", "Austria", 47.2, 11.4, 1450],
  ["costa_verde", "Costa Verde", "Gijon", "Spain", 43.5, -5.6, 35],
  ["fuji_ring", "Fuji Ring", "Gotemba", "Japan", 35.3, 138.9, 610],
  ["black_wood", "Black Wood", "Freiburg", "Germany", 48.0, 7.8, 402],
  ["iberia_park", "Iberia Park", "Madrid", "Spain", 40.4, -3.7, 667],
] as const;
const roll = dice(11);
const pad = (value: number, size = 2) => String(value).padStart(size, "0");

export const rally: World = {
  name: "rally",
  tables: {
    drivers: generated("driverId,driverRef,code,forename,surname,dob,nationality,url", 18, (id) => {
      const last = pick(LAST, id - 1);
      return [
        id,
        last.toLowerCase(),
        id % 5 === 0 ? "" : last.slice(0, 3).toUpperCase(),
        pick(FIRST, id - 1),
        last,
        `19${70 + ((id * 7) % 29)}-${pad(1 + ((id * 5) % 12))}-${pad(1 + ((id * 11) % 28))}`,
        pick(NATIONS, roll(6)),
        `http://wiki.example/${last}`,
      ];
    }),
    tracks: generated("trackId,trackRef,name,location,country,lat,lng,alt", 6, (id) => [id, ...pick(TRACKS, id - 1)]),
    events: generated("eventId,year,round,trackId,name,date,time,url", 36, (id) => {
      const year = 2014 + Math.floor((id - 1) / 6);
      const round = 1 + ((id - 1) % 6);
      const track = 1 + ((id * 5 + year) % 6);
      return [
        id,
        year,
        round,
        track,
        `${["Arctic", "Austrian", "Spanish", "Japanese", "German", "European"][(id * 5 + year) % 6]} Rally`,
        `${year}-${pad(2 + round)}-${pad(3 + ((id * 3) % 25))}`,
        id % 4 === 0 ? "" : `${pad(9 + (id % 6))}:00:00`,
        `http://wiki.example/event${id}`,
      ];
    }),
    qualifying: generated("qualifyId,eventId,driverId,number,position,q1,q2", 36 * 8, (row) => {
      const event = 1 + Math.floor((row - 1) / 8);
      const place = 1 + ((row - 1) % 8);
      const seconds = () => `1:${pad(10 + roll(40))}.${pad(roll(1000), 3)}`;
      return [
        row,
        event,
        1 + ((event * 5 + place * 2) % 18),
        1 + ((event * 5 + place * 2) % 18),
        place,
        seconds(),
        place > 5 ? "" : seconds(),
      ];
    }),
    results: generated(
      "resultId,eventId,driverId,grid,position,points,laps,time,fastestLapTime,fastestLapSpeed,rank,statusId",
      36 * 8,
      (row) => {
        const event = 1 + Math.floor((row - 1) / 8);
        const place = 1 + ((row - 1) % 8);
        const driver = 1 + ((event * 5 + place * 2) % 18);
        const out = place > 6;
        return [
          row,
          event,
          driver,
          1 + ((place * 3) % 8),
          out ? "" : place,
          out ? 0 : 25 - place * 4,
          out ? 10 + roll(30) : 44,
          out
            ? ""
            : place === 1
              ? `1:${pad(20 + roll(30))}:${pad(roll(60))}.${pad(roll(1000), 3)}`
              : `+${place * 3 + roll(3)}.${pad(roll(1000), 3)}`,
          out ? "" : `1:${pad(10 + roll(45))}.${pad(roll(1000), 3)}`,
          out ? "" : `${180 + roll(50)}.${pad(roll(1000), 3)}`,
          ((place + event) % 8) + 1,
          out ? 2 + (row % 2) : 1,
        ];
      },
    ),
    status: "statusId,status\n1,Finished\n2,Engine\n3,Collision",
  },
  questions: [
    {
      ask: "Give the coordinates of the track Black Wood.",
      gold: "SELECT lat,lng FROM tracks WHERE name='Black Wood'",
    },
    {
      ask: "How many rallies were held in Spain?",
      gold: "SELECT count(*) FROM events e JOIN tracks t ON e.trackId=t.trackId WHERE country='Spain'",
    },
    {
      ask: "What is the surname of the driver with the best lap time in event number 12 in the first qualifying period?",
      gold: "SELECT surname FROM qualifying q JOIN drivers d ON q.driverId=d.driverId WHERE eventId=12 ORDER BY q1 LIMIT 1",
    },
    {
      ask: "Who is the youngest driver? Give the forename and surname.",
      gold: "SELECT forename, surname FROM drivers ORDER BY dob DESC LIMIT 1",
    },
    {
      ask: "In which country can I find the track with the highest altitude?",
      gold: "SELECT country FROM tracks ORDER BY alt DESC LIMIT 1",
    },
    {
      ask: "What is the total number of points of Keiko Keller?",
      gold: "SELECT sum(points) FROM results r JOIN drivers d ON r.driverId=d.driverId WHERE forename='Keiko' AND surname='Keller'",
    },
    {
      ask: "How many Japanese drivers were born after 1980?",
      gold: "SELECT count(*) FROM drivers WHERE nationality='Japanese' AND dob>='1981-01-01'",
    },
    {
      ask: "Which year had the most different tracks?",
      gold: "WITH c AS (SELECT year, count(DISTINCT trackId) n FROM events GROUP BY 1) SELECT year FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What was the fastest lap speed among all drivers in the 2016 Spanish Rally?",
      gold: "SELECT max(cast(fastestLapSpeed AS DOUBLE)) FROM results r JOIN events e ON r.eventId=e.eventId WHERE e.year=2016 AND e.name='Spanish Rally'",
    },
    {
      ask: "What's the finish time for the driver who ranked second in 2015's Japanese Rally?",
      gold: "SELECT r.time FROM results r JOIN events e ON r.eventId=e.eventId WHERE e.year=2015 AND e.name='Japanese Rally' AND rank=2",
    },
    {
      ask: "Among all German Rally events, what is the percentage of the events hosted in Austria?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE country='Austria')/count(*) FROM events e JOIN tracks t ON e.trackId=t.trackId WHERE e.name='German Rally'",
    },
    {
      ask: "List the names of the events that took place in September 2017.",
      gold: "SELECT name FROM events WHERE date BETWEEN '2017-09-01' AND '2017-09-30'",
    },
    {
      ask: "How many drivers did not finish event No. 20?",
      gold: "SELECT count(DISTINCT driverId) FROM results r JOIN status s ON r.statusId=s.statusId WHERE eventId=20 AND status<>'Finished'",
    },
    {
      ask: "Please list the reference names of the drivers who had a collision in event number 8.",
      gold: "SELECT driverRef FROM results r JOIN drivers d ON r.driverId=d.driverId JOIN status s ON s.statusId=r.statusId WHERE eventId=8 AND status='Collision'",
    },
    {
      ask: "What is the average number of laps completed by drivers of French nationality?",
      gold: "SELECT avg(laps) FROM results r JOIN drivers d ON r.driverId=d.driverId WHERE nationality='French'",
    },
    {
      ask: "Which driver has won the most events? State the full name.",
      gold: "WITH c AS (SELECT forename, surname, count(*) n FROM results r JOIN drivers d ON r.driverId=d.driverId WHERE position=1 GROUP BY 1,2) SELECT forename, surname FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is Maja Meyer's date of birth?",
      gold: "SELECT dob FROM drivers WHERE forename='Maja' AND surname='Meyer'",
    },
    {
      ask: "For the event held on 2015-03-24, list the drivers' surnames who finished the race.",
      gold: "SELECT surname FROM results r JOIN events e ON r.eventId=e.eventId JOIN drivers d ON d.driverId=r.driverId JOIN status s ON s.statusId=r.statusId WHERE e.date='2015-03-24' AND status='Finished'",
    },
    { ask: "How many drivers don't have a code?", gold: "SELECT count(*) FROM drivers WHERE code IS NULL" },
    {
      ask: "Which nationality has the most drivers, and how many drivers does it have?",
      gold: "WITH c AS (SELECT nationality, count(*) n FROM drivers GROUP BY 1) SELECT nationality, n FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    { ask: "Show the website of the driver whose code is DAH.", gold: "SELECT url FROM drivers WHERE code='DAH'" },
    {
      ask: "In what year was the first Arctic Rally held?",
      gold: "SELECT min(year) FROM events WHERE name='Arctic Rally'",
    },
    {
      ask: "Which tracks are located in Spain? List their names and locations.",
      gold: "SELECT name, location FROM tracks WHERE country='Spain'",
    },
    {
      ask: "How many events took place between 2015 and 2017?",
      gold: "SELECT count(*) FROM events WHERE year BETWEEN 2015 AND 2017",
    },
    {
      ask: "What is the name of the track used in round 3 of the 2018 season?",
      gold: "SELECT t.name FROM events e JOIN tracks t ON e.trackId=t.trackId WHERE year=2018 AND round=3",
    },
    {
      ask: "For each country, how many events were hosted?",
      gold: "SELECT country, count(*) FROM events e JOIN tracks t ON e.trackId=t.trackId GROUP BY country",
    },
  ],
};
