import { stem } from "../words/stem.js";

/** Chinese words for things that tables hold, with the words by which fields and tables may call them. */
const ENTRIES = `
客户 customer client
顾客 customer client
会员 member customer
用户 user
员工 employee staff
职员 employee staff
学生 student
老师 teacher
教师 teacher instructor
医生 doctor physician
病人 patient
患者 patient
球员 player
选手 player athlete
球队 team club
团队 team
小组 group team
部门 department dept
公司 company firm
企业 company firm enterprise
供应商 supplier vendor
司机 driver
作者 author writer
导演 director
演员 actor
歌手 singer artist
艺术家 artist
经理 manager
店长 manager
负责人 manager owner leader head
主管 supervisor manager
姓名 name
名字 name
名称 name title
标题 title
全名 name full
姓 surname last
性别 gender sex
年龄 age
生日 birthday birth
出生 birth born birthday
出生日期 birth birthday dob
国籍 nationality country
国家 country nation
省份 province state
省 province state
城市 city town
地区 region area district
区域 region area
地点 location place venue
位置 location position
地址 address
邮箱 email mail
邮件 email mail
电话 phone telephone
手机 phone mobile
邮编 zip postal
网址 url website
网站 website url
产品 product item
商品 product item goods
货物 goods product
菜品 dish menu
图书 book
书籍 book
书名 title
书 book
电影 movie film
影片 movie film
专辑 album
歌曲 song track
课程 course class
班级 class
学校 school
学院 college school
专业 major
酒店 hotel
餐厅 restaurant
门店 store shop
店铺 store shop
商店 store shop
店 store shop
仓库 warehouse
航班 flight
机场 airport
车辆 vehicle car
汽车 car vehicle
订单 order
交易 transaction trade
合同 contract
项目 project
活动 event activity
事件 event
比赛 match game race
赛季 season
账户 account
账号 account
贷款 loan
存款 deposit
取款 withdrawal
定金 deposit
付款 payment
支付 payment pay
支付方式 payment method
发票 invoice
记录 record log
销售 sale
销售额 sale amount revenue
销量 quantity sale sold
营业额 revenue turnover
收入 income revenue
支出 expense expenditure spending
花费 cost spend expense
费用 cost fee expense
成本 cost
利润 profit
预算 budget
金额 amount money total
余额 balance
总额 amount total
单价 price unit
价格 price
价钱 price
售价 price
折扣 discount
税 tax
工资 salary wage pay
薪水 salary wage pay
薪资 salary wage pay
奖金 bonus
数量 quantity number count qty
库存 stock inventory
件数 quantity count
人数 headcount people size number count
次数 times count number
重量 weight
体重 weight
身高 height
高度 height altitude elevation
长度 length
宽度 width
面积 area
体积 volume
容量 capacity
距离 distance
里程 mileage distance
速度 speed
温度 temperature temp
湿度 humidity
降水 precipitation rain rainfall
降雨 rain rainfall precipitation
降雨量 rain rainfall precipitation
风速 wind
人口 population
评分 rating score
得分 score point
分数 score grade mark
成绩 score grade result
积分 point score
排名 rank ranking position
等级 level grade rank
级别 level grade
状态 status state
类型 type kind category
类别 category type class
种类 type category kind
分类 category class
品种 species breed variety
品牌 brand
型号 model
颜色 color
尺寸 size
原因 reason cause
结果 result outcome
方式 method way
渠道 channel
来源 source
日期 date
时间 time date
年份 year
年 year
月份 month
月 month
季度 quarter
开始 start begin
结束 end finish
成立 found established founded
创建 create creation created
注册 register signup registered
入职 hire join hired
加入 join joined
开业 open opened opening
发布 release publish published
上映 release released
出版 publish published
上市 list launch launched
时长 duration length
期限 term duration
编号 id number code
代码 code
备注 note remark comment
描述 description
评论 comment review
职位 position title job
岗位 position job
学历 education degree
技能 skill
级 grade level
科室 department
诊断 diagnosis
疾病 disease
药品 drug medicine
药物 drug medicine medication
医院 hospital
票价 fare price
乘客 passenger
房间 room
房价 price
用电量 consumption electricity
用量 consumption usage
产量 yield output production
作物 crop
农场 farm
土壤 soil
站点 station site
车站 station
观众 audience attendance
上座 attendance
票房 boxoffice gross revenue
`;

const MEANINGS: ReadonlyMap<string, readonly string[]> = new Map(
  ENTRIES.trim()
    .split("\n")
    .map((line) => {
      const [word = "", ...meanings] = line.split(" ");
      return [word, meanings.map(stem)] as const;
    }),
);

/** Length of the longest entry in characters. */
export const LONGEST_ENTRY = Math.max(...[...MEANINGS.keys()].map((word) => word.length));

/** Stems of the English words for a Chinese one; empty if it is not listed. */
export function meaningsOf(word: string): readonly string[] {
  return MEANINGS.get(word) ?? [];
}
