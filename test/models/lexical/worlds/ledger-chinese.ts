import { dice, generated, pick, type World } from "./world.js";

const roll = dice(97);
const pad = (value: number) => String(value).padStart(2, "0");

/** Chinese headers and values. */
export const chineseLedger: World = {
  name: "ledger-chinese",
  knowledge:
    "# 说明\n\n- 净存款 = 存入金额 − 取出金额。\n- 大客户是指存入金额不低于 8000 元的客户。\n- 活跃：状态为“正常”。\n",
  tables: {
    存款记录: generated("编号,客户姓名,团队,城市,存入金额,取出金额,日期,状态", 60, (id) => [
      id,
      pick(["王芳", "李强", "张伟", "刘洋", "陈静", "赵敏", "周杰", "吴迪"], roll(8)),
      pick(["苏州一部", "苏州二部", "杭州战队", "南京直辖"], roll(4)),
      pick(["苏州", "杭州", "南京"], roll(3)),
      500 + roll(200) * 50,
      roll(60) * 50,
      `202${2 + roll(3)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      pick(["正常", "冻结", "正常"], roll(3)),
    ]),
    团队信息:
      "团队,负责人,成立年份,人数\n苏州一部,孙丽,2015,12\n苏州二部,钱明,2018,9\n杭州战队,郑浩,2016,15\n南京直辖,冯雪,2020,7",
  },
  questions: [
    {
      ask: "存入金额总和最高的团队是哪个？",
      gold: "SELECT 团队 FROM 存款记录 GROUP BY 团队 ORDER BY sum(存入金额) DESC LIMIT 1",
    },
    { ask: "苏州二部一共有多少条存款记录？", gold: "SELECT count(*) FROM 存款记录 WHERE 团队='苏州二部'" },
    { ask: "2023年的平均存入金额是多少？", gold: "SELECT avg(存入金额) FROM 存款记录 WHERE year(日期)=2023" },
    { ask: "存入金额大于8000元的记录有几条？", gold: "SELECT count(*) FROM 存款记录 WHERE 存入金额>8000" },
    {
      ask: "状态为冻结的记录占比是多少（百分比）？",
      gold: "SELECT 100.0*count(*) FILTER (WHERE 状态='冻结')/count(*) FROM 存款记录",
    },
    { ask: "每个城市的取出金额总和分别是多少？", gold: "SELECT 城市, sum(取出金额) FROM 存款记录 GROUP BY 1" },
    { ask: "哪个团队的成立年份最早？", gold: "SELECT 团队 FROM 团队信息 ORDER BY 成立年份 LIMIT 1" },
    { ask: "列出人数不低于9人的团队及其负责人。", gold: "SELECT 团队, 负责人 FROM 团队信息 WHERE 人数>=9" },
    {
      ask: "王芳在苏州的总存入金额是多少？",
      gold: "SELECT sum(存入金额) FROM 存款记录 WHERE 客户姓名='王芳' AND 城市='苏州'",
    },
    {
      ask: "存入金额前三名的客户姓名和存入金额是什么？",
      gold: "SELECT 客户姓名, 存入金额 FROM 存款记录 ORDER BY 存入金额 DESC LIMIT 3",
    },
    { ask: "杭州战队的负责人是谁？", gold: "SELECT 负责人 FROM 团队信息 WHERE 团队='杭州战队'" },
    {
      ask: "2022年到2023年之间，苏州一部的净存款总额是多少？",
      gold: "SELECT sum(存入金额-取出金额) FROM 存款记录 WHERE 团队='苏州一部' AND year(日期) BETWEEN 2022 AND 2023",
    },
    { ask: "一共有多少个不同的客户？", gold: "SELECT count(DISTINCT 客户姓名) FROM 存款记录" },
    {
      ask: "哪位客户的存款次数最多？",
      gold: "WITH c AS (SELECT 客户姓名, count(*) n FROM 存款记录 GROUP BY 1) SELECT 客户姓名 FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "2024年3月之后有多少条状态正常的记录？",
      gold: "SELECT count(*) FROM 存款记录 WHERE 日期>'2024-03-31' AND 状态='正常'",
    },
    {
      ask: "负责人为孙丽的团队共存入多少金额？",
      gold: "SELECT sum(存入金额) FROM 存款记录 JOIN 团队信息 USING (团队) WHERE 负责人='孙丽'",
    },
  ],
};

/** English headers, Chinese questions. */
export const chineseStore: World = {
  name: "store-chinese",
  tables: {
    stores:
      "store_id,store_name,city,manager,opened\n1,东湖店,武汉,何平,2016-04-01\n2,外滩店,上海,林悦,2014-09-15\n3,西溪店,杭州,高远,2019-01-20\n4,鼓楼店,南京,罗敏,2017-06-30\n5,徐汇店,上海,谢婷,2020-11-11",
    products:
      "product_id,product_name,category,price\n1,绿茶,饮料,5\n2,咖啡,饮料,18\n3,面包,食品,9.5\n4,饼干,食品,12\n5,毛巾,日用品,25",
    sales: generated("sale_id,store_id,product_id,quantity,sale_date,payment", 90, (id) => [
      id,
      1 + roll(5),
      1 + roll(5),
      1 + roll(9),
      `202${2 + roll(2)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      pick(["现金", "微信", "支付宝"], roll(3)),
    ]),
  },
  questions: [
    { ask: "上海有多少家门店？", gold: "SELECT count(*) FROM stores WHERE city='上海'" },
    { ask: "价格最高的商品是什么？", gold: "SELECT product_name FROM products ORDER BY price DESC LIMIT 1" },
    { ask: "饮料类商品的平均价格是多少？", gold: "SELECT avg(price) FROM products WHERE category='饮料'" },
    {
      ask: "外滩店2023年的销售数量总和是多少？",
      gold: "SELECT sum(quantity) FROM sales JOIN stores USING (store_id) WHERE store_name='外滩店' AND year(sale_date)=2023",
    },
    {
      ask: "哪家门店的销售数量最多？",
      gold: "WITH c AS (SELECT store_name, sum(quantity) n FROM sales JOIN stores USING (store_id) GROUP BY 1) SELECT store_name FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "使用微信支付的销售记录占全部销售记录的百分比是多少？",
      gold: "SELECT 100.0*count(*) FILTER (WHERE payment='微信')/count(*) FROM sales",
    },
    {
      ask: "列出2017年之后开业的门店名称和经理。",
      gold: "SELECT store_name, manager FROM stores WHERE opened>='2018-01-01'",
    },
    { ask: "每个类别有多少种商品？", gold: "SELECT category, count(*) FROM products GROUP BY 1" },
    { ask: "价格在5到15之间的商品有哪些？", gold: "SELECT product_name FROM products WHERE price BETWEEN 5 AND 15" },
    { ask: "西溪店的经理是谁？", gold: "SELECT manager FROM stores WHERE store_name='西溪店'" },
    {
      ask: "咖啡一共卖出了多少？",
      gold: "SELECT sum(quantity) FROM sales JOIN products USING (product_id) WHERE product_name='咖啡'",
    },
    { ask: "开业最早的门店位于哪个城市？", gold: "SELECT city FROM stores ORDER BY opened LIMIT 1" },
  ],
};
