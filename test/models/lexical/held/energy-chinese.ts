import { dice, generated, pick, type World } from "../worlds/world.js";

const roll = dice(233);
const pad = (value: number) => String(value).padStart(2, "0");

export const energyChinese: World = {
  name: "energy-chinese",
  knowledge:
    "# 说明\n\n- 高耗能企业是指年用电量超过 5000 的企业。\n- 单位成本 = 电费 / 用电量\n- 值班电话：400-820-1234\n",
  tables: {
    企业: generated("企业编号,企业名称,行业,所在城市,成立日期,员工人数", 10, (id) => [
      id,
      pick(
        [
          "东方钢铁",
          "华新水泥",
          "江南纺织",
          "北辰化工",
          "长河造纸",
          "明远电子",
          "盛达食品",
          "宏图机械",
          "金桥物流",
          "远景医药",
        ],
        id - 1,
      ),
      pick(["制造业", "化工", "物流", "制造业"], roll(4)),
      pick(["苏州", "无锡", "常州"], roll(3)),
      `${1995 + roll(25)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      50 + roll(900),
    ]),
    用电: generated("记录编号,企业编号,年份,年用电量,电费,峰段占比", 40, (id) => [
      id,
      1 + ((id - 1) % 10),
      2020 + Math.floor((id - 1) / 10),
      1000 + roll(8000),
      600 + roll(5000),
      roll(100) / 100,
    ]),
  },
  questions: [
    {
      ask: "2021年年用电量最高的企业是哪家？",
      gold: "SELECT 企业名称 FROM 用电 JOIN 企业 USING (企业编号) WHERE 年份=2021 ORDER BY 年用电量 DESC LIMIT 1",
    },
    { ask: "苏州有几家企业？", gold: "SELECT count(*) FROM 企业 WHERE 所在城市='苏州'" },
    { ask: "制造业企业的平均员工人数是多少？", gold: "SELECT avg(员工人数) FROM 企业 WHERE 行业='制造业'" },
    { ask: "各城市的企业数量分别是多少？", gold: "SELECT 所在城市, count(*) FROM 企业 GROUP BY 1" },
    { ask: "2022年所有企业的电费总额是多少？", gold: "SELECT sum(电费) FROM 用电 WHERE 年份=2022" },
    { ask: "员工人数超过500人的企业有哪些？", gold: "SELECT 企业名称 FROM 企业 WHERE 员工人数>500" },
    { ask: "成立最早的企业叫什么名字？", gold: "SELECT 企业名称 FROM 企业 ORDER BY 成立日期 LIMIT 1" },
    {
      ask: "明远电子在2023年的电费是多少？",
      gold: "SELECT 电费 FROM 用电 JOIN 企业 USING (企业编号) WHERE 企业名称='明远电子' AND 年份=2023",
    },
    {
      ask: "年用电量排名前5的记录对应的企业名称和年用电量是什么？",
      gold: "SELECT 企业名称, 年用电量 FROM 用电 JOIN 企业 USING (企业编号) ORDER BY 年用电量 DESC LIMIT 5",
    },
    {
      ask: "2020年高耗能企业有多少家？",
      gold: "SELECT count(DISTINCT 企业编号) FROM 用电 WHERE 年份=2020 AND 年用电量>5000",
    },
    {
      ask: "化工行业的企业占全部企业的百分比是多少？",
      gold: "SELECT 100.0*count(*) FILTER (WHERE 行业='化工')/count(*) FROM 企业",
    },
    {
      ask: "哪个城市的企业员工人数总和最多？",
      gold: "WITH c AS (SELECT 所在城市, sum(员工人数) n FROM 企业 GROUP BY 1) SELECT 所在城市 FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "华新水泥的平均单位成本是多少？",
      gold: "SELECT avg(电费*1.0/年用电量) FROM 用电 JOIN 企业 USING (企业编号) WHERE 企业名称='华新水泥'",
    },
    { ask: "值班电话是多少？", gold: "SELECT '400-820-1234'" },
    { ask: "2000年之后成立的企业有多少家？", gold: "SELECT count(*) FROM 企业 WHERE 成立日期>='2001-01-01'" },
    { ask: "每年的平均电费是多少？", gold: "SELECT 年份, avg(电费) FROM 用电 GROUP BY 1" },
  ],
};
