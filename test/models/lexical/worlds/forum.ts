import { dice, generated, pick, type World } from "./world.js";

const USERS = [
  "maria",
  "Old Tom",
  "zed_99",
  "quantile",
  "Nadia P",
  "lambda",
  "priors",
  "Yuki",
  "bootstrap",
  "Elmo Hart",
];
const TITLES = [
  "How to read a forest plot",
  "Why is my variance negative?",
  "Understanding priors",
  "Choosing a kernel",
  "What is a p-value",
  "Detecting trends in short series",
  "Group by in practice",
  "Eliciting expert opinion",
  "Median versus mean",
  "Robust regression",
];
const BADGES = ["Teacher", "Editor", "Supporter", "Student", "Scholar"];
const roll = dice(41);
const pad = (value: number) => String(value).padStart(2, "0");
const stamp = (year: number) =>
  `${year}-${pad(1 + roll(12))}-${pad(1 + roll(28))} ${pad(roll(24))}:${pad(roll(60))}:${pad(roll(60))}`;

export const forum: World = {
  name: "forum",
  tables: {
    users: generated(
      "Id,Reputation,CreationDate,DisplayName,LastAccessDate,WebsiteUrl,Location,Age,Views,UpVotes",
      10,
      (id) => [
        id,
        50 + ((id * 137) % 900),
        stamp(2010 + roll(3)),
        pick(USERS, id - 1),
        stamp(2013 + roll(2)),
        roll(3) === 0 ? "" : `http://site${id}.example`,
        pick(["Vienna, Austria", "Lima, Peru", "", "Kyoto, Japan"], roll(4)),
        roll(3) === 0 ? "" : 20 + roll(50),
        roll(500),
        roll(300),
      ],
    ),
    posts: generated(
      "Id,PostTypeId,CreationDate,Score,ViewCount,OwnerUserId,Title,AnswerCount,CommentCount,FavoriteCount,LastEditorUserId",
      40,
      (id) => [
        id,
        1 + roll(2),
        stamp(2011 + roll(3)),
        roll(60) - 4,
        20 + roll(4000),
        1 + roll(10),
        id <= 10 ? pick(TITLES, id - 1) : `Question ${id}`,
        roll(6),
        roll(12),
        roll(2) ? roll(20) : "",
        1 + roll(10),
      ],
    ),
    comments: generated("Id,PostId,Score,Text,CreationDate,UserId", 120, (id) => [
      id,
      1 + roll(40),
      roll(9),
      `note ${id}: ${pick(["thanks", "please clarify", "see the manual", "agreed"], roll(4))}`,
      stamp(2012 + roll(2)),
      1 + roll(10),
    ]),
    badges: generated("Id,UserId,Name,Date", 60, (id) => [
      id,
      1 + roll(10),
      pick(BADGES, roll(5)),
      stamp(2011 + roll(4)),
    ]),
  },
  questions: [
    {
      ask: "Which user has a higher reputation, Yuki or lambda?",
      gold: "SELECT DisplayName FROM users WHERE DisplayName IN ('Yuki','lambda') ORDER BY Reputation DESC LIMIT 1",
    },
    {
      ask: "How many users were last accessed after 2014/3/1?",
      gold: "SELECT count(*) FROM users WHERE LastAccessDate>'2014-03-01'",
    },
    {
      ask: 'Who is the owner of the post "Eliciting expert opinion"?',
      gold: "SELECT DisplayName FROM posts p JOIN users u ON p.OwnerUserId=u.Id WHERE Title='Eliciting expert opinion'",
    },
    {
      ask: "How many posts does the user zed_99 own?",
      gold: "SELECT count(*) FROM posts p JOIN users u ON p.OwnerUserId=u.Id WHERE DisplayName='zed_99'",
    },
    {
      ask: "What is the title of the post that is owned by quantile and has the highest view count?",
      gold: "SELECT Title FROM posts p JOIN users u ON p.OwnerUserId=u.Id WHERE DisplayName='quantile' ORDER BY ViewCount DESC LIMIT 1",
    },
    {
      ask: "How many badges has the user bootstrap obtained?",
      gold: "SELECT count(*) FROM badges b JOIN users u ON b.UserId=u.Id WHERE DisplayName='bootstrap'",
    },
    {
      ask: "Which user has obtained the most badges? Give the display name.",
      gold: "WITH c AS (SELECT u.Id, DisplayName, count(*) n FROM badges b JOIN users u ON b.UserId=u.Id GROUP BY 1,2) SELECT DisplayName FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is the total number of comments of the post titled 'Understanding priors'?",
      gold: "SELECT CommentCount FROM posts WHERE Title='Understanding priors'",
    },
    {
      ask: 'List the display names of users who have the badge "Scholar".',
      gold: "SELECT DISTINCT DisplayName FROM badges b JOIN users u ON b.UserId=u.Id WHERE b.Name='Scholar'",
    },
    {
      ask: "What is the average score of the posts owned by Old Tom?",
      gold: "SELECT avg(Score) FROM posts p JOIN users u ON p.OwnerUserId=u.Id WHERE DisplayName='Old Tom'",
    },
    {
      ask: "Among the posts with a score of over 30, what is the percentage of them being owned by an elder user, that is, one whose age is over 50?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE Age>50)/count(*) FROM posts p JOIN users u ON p.OwnerUserId=u.Id WHERE Score>30",
    },
    {
      ask: "Which post has the highest score? Please give its id and title.",
      gold: "SELECT Id, Title FROM posts WHERE Score=(SELECT max(Score) FROM posts)",
    },
    {
      ask: "State the location of the user named Elmo Hart.",
      gold: "SELECT Location FROM users WHERE DisplayName='Elmo Hart'",
    },
    {
      ask: "When was the account of Nadia P created?",
      gold: "SELECT CreationDate FROM users WHERE DisplayName='Nadia P'",
    },
    { ask: "How many users have no website?", gold: "SELECT count(*) FROM users WHERE WebsiteUrl IS NULL" },
    {
      ask: 'How many comments were made on the post "Choosing a kernel" by maria?',
      gold: "SELECT count(*) FROM comments c JOIN posts p ON c.PostId=p.Id JOIN users u ON c.UserId=u.Id WHERE Title='Choosing a kernel' AND DisplayName='maria'",
    },
    {
      ask: 'Who was the last editor of the post "Group by in practice"?',
      gold: "SELECT DisplayName FROM posts p JOIN users u ON p.LastEditorUserId=u.Id WHERE Title='Group by in practice'",
    },
    {
      ask: "How many users created their account in 2011?",
      gold: "SELECT count(*) FROM users WHERE year(CreationDate::TIMESTAMP)=2011",
    },
    {
      ask: "What is the difference between the total score of the posts owned by Yuki and the total score of the posts owned by priors?",
      gold: "SELECT sum(Score) FILTER (WHERE DisplayName='Yuki')-sum(Score) FILTER (WHERE DisplayName='priors') FROM posts p JOIN users u ON p.OwnerUserId=u.Id",
    },
    {
      ask: "Please list the titles of the posts with more than 3000 views.",
      gold: "SELECT Title FROM posts WHERE ViewCount>3000",
    },
  ],
};
