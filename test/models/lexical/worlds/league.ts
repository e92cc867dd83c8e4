import { dice, generated, pick, type World } from "./world.js";

const TEAMS = [
  "Red Harbour",
  "Stone City",
  "Vale United",
  "North Rovers",
  "Lakeside",
  "Old Mill Athletic",
  "Port Royal",
  "Summit FC",
];
const PLAYERS = [
  "Abel Ruiz",
  "Ben Carter",
  "Cesar Pinto",
  "Dario Greco",
  "Erik Holm",
  "Fabio Conti",
  "Gavin Shaw",
  "Hugo Blanc",
  "Igor Sokol",
  "Jan Kovac",
  "Kofi Mensah",
  "Leo Prat",
  "Marco Bassi",
  "Nuno Reis",
  "Omar Haddad",
  "Pavel Cerny",
];
const roll = dice(61);
const pad = (value: number) => String(value).padStart(2, "0");

export const league: World = {
  name: "league",
  tables: {
    Country: "id,name\n1,Belgium\n2,Italy\n3,Scotland",
    League: "id,country_id,name\n10,1,Belgium Jupiler League\n20,2,Italy Serie A\n30,3,Scotland Premier League",
    Team: generated("team_api_id,team_long_name,team_short_name", 8, (id) => [
      8000 + id,
      pick(TEAMS, id - 1),
      pick(TEAMS, id - 1)
        .replace(/[^A-Z]/g, "")
        .padEnd(3, "X")
        .slice(0, 3),
    ]),
    Match: generated(
      "id,country_id,league_id,season,stage,date,home_team_api_id,away_team_api_id,home_team_goal,away_team_goal",
      140,
      (id) => {
        const country = 1 + roll(3);
        const home = 1 + roll(8);
        const year = 2013 + roll(3);
        return [
          id,
          country,
          country * 10,
          `${year}/${year + 1}`,
          1 + roll(20),
          `${year}-${pad(8 + roll(5))}-${pad(1 + roll(28))}`,
          8000 + home,
          8000 + (((home + roll(7)) % 8) + 1),
          roll(5),
          roll(4),
        ];
      },
    ),
    Player: generated("player_api_id,player_name,birthday,height,weight", 16, (id) => [
      500 + id,
      pick(PLAYERS, id - 1),
      `19${80 + roll(17)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      165 + roll(350) / 10,
      140 + roll(70),
    ]),
    Player_Attributes: generated(
      "id,player_api_id,date,overall_rating,potential,preferred_foot,heading_accuracy,sprint_speed,free_kick_accuracy",
      64,
      (id) => [
        id,
        501 + ((id - 1) % 16),
        `${2012 + Math.floor((id - 1) / 16)}-0${1 + roll(9)}-15`,
        50 + roll(45),
        60 + roll(35),
        pick(["right", "left", "right"], id % 3),
        20 + roll(75),
        30 + roll(66),
        25 + roll(70),
      ],
    ),
  },
  questions: [
    {
      ask: "Which player has the highest overall rating?",
      gold: "SELECT DISTINCT player_name FROM Player JOIN Player_Attributes USING (player_api_id) WHERE overall_rating=(SELECT max(overall_rating) FROM Player_Attributes)",
    },
    {
      ask: "Who is the tallest player? Indicate his name.",
      gold: "SELECT player_name FROM Player WHERE height=(SELECT max(height) FROM Player)",
    },
    {
      ask: "How many matches were played in the Italy Serie A league in the 2014/2015 season?",
      gold: "SELECT count(*) FROM Match m JOIN League l ON m.league_id=l.id WHERE l.name='Italy Serie A' AND season='2014/2015'",
    },
    {
      ask: "What is the average number of home team goals in Belgium?",
      gold: "SELECT avg(home_team_goal) FROM Match m JOIN Country c ON m.country_id=c.id WHERE c.name='Belgium'",
    },
    {
      ask: "Which home team scored the most goals in a single match? Give the long name of the team.",
      gold: "SELECT DISTINCT team_long_name FROM Match m JOIN Team t ON m.home_team_api_id=t.team_api_id WHERE home_team_goal=(SELECT max(home_team_goal) FROM Match)",
    },
    {
      ask: "How many home matches did Lakeside play?",
      gold: "SELECT count(*) FROM Match m JOIN Team t ON m.home_team_api_id=t.team_api_id WHERE team_long_name='Lakeside'",
    },
    {
      ask: "Which league had the most matches in the 2013/2014 season?",
      gold: "WITH c AS (SELECT l.name nm, count(*) n FROM Match m JOIN League l ON m.league_id=l.id WHERE season='2013/2014' GROUP BY 1) SELECT nm FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "List the names of players who prefer the left foot and have a sprint speed above 80.",
      gold: "SELECT DISTINCT player_name FROM Player JOIN Player_Attributes USING (player_api_id) WHERE preferred_foot='left' AND sprint_speed>80",
    },
    {
      ask: "What is the short name of the team Vale United?",
      gold: "SELECT team_short_name FROM Team WHERE team_long_name='Vale United'",
    },
    {
      ask: "What is the birthday of Kofi Mensah?",
      gold: "SELECT birthday FROM Player WHERE player_name='Kofi Mensah'",
    },
    {
      ask: "What is the average height of players born in 1990 or later?",
      gold: "SELECT avg(height) FROM Player WHERE birthday>='1990-01-01'",
    },
    {
      ask: "How many players are taller than 180 cm and weigh over 170?",
      gold: "SELECT count(*) FROM Player WHERE height>180 AND weight>170",
    },
    {
      ask: "What was the potential of Hugo Blanc on 2013-05-15?",
      gold: "SELECT potential FROM Player JOIN Player_Attributes a USING (player_api_id) WHERE player_name='Hugo Blanc' AND a.date='2013-05-15'",
    },
    {
      ask: "How many matches ended in a draw, with home team goals equal to away team goals?",
      gold: "SELECT count(*) FROM Match WHERE home_team_goal=away_team_goal",
    },
    {
      ask: "Calculate the average heading accuracy of Pavel Cerny.",
      gold: "SELECT avg(heading_accuracy) FROM Player JOIN Player_Attributes USING (player_api_id) WHERE player_name='Pavel Cerny'",
    },
    {
      ask: "Which country's league has the fewest matches?",
      gold: "WITH c AS (SELECT c.name nm, count(*) n FROM Match m JOIN Country c ON m.country_id=c.id GROUP BY 1) SELECT nm FROM c WHERE n=(SELECT min(n) FROM c)",
    },
    {
      ask: "List the top 3 players by free kick accuracy in 2014.",
      gold: "SELECT player_name FROM Player JOIN Player_Attributes a USING (player_api_id) WHERE year(a.date)=2014 ORDER BY free_kick_accuracy DESC LIMIT 3",
    },
    {
      ask: "How many matches in Scotland were won by the away team, that is, away team goals greater than home team goals?",
      gold: "SELECT count(*) FROM Match m JOIN Country c ON m.country_id=c.id WHERE c.name='Scotland' AND away_team_goal>home_team_goal",
    },
  ],
};
