import { dice, generated, pick, type World } from "./world.js";

const CUSTOMERS = [
  "Alice Grant",
  "Bruno Silva",
  "Chen Wei",
  "Dana Cole",
  "Emil Novak",
  "Fatima Noor",
  "Gus Lind",
  "Hana Sato",
  "Ivan Petrov",
  "Julia Reyes",
  "Karl Braun",
  "Lila Shah",
];
const CITIES = ["Lisbon", "Oslo", "Berlin", "Madrid", "Tokyo"];
const COUNTRIES = ["Portugal", "Norway", "Germany", "Spain", "Japan"];
const PRODUCTS = [
  ["Trail Boots", 1, 129.9],
  ["Rain Jacket", 1, 89.5],
  ["Wool Socks", 1, 12],
  ["Camp Stove", 2, 59],
  ["Two-Person Tent", 2, 249],
  ["Sleeping Mat", 2, 45.5],
  ["Water Filter", 3, 39.9],
  ["Head Torch", 3, 24],
  ["Compass", 3, 18.5],
  ["Titanium Mug", 4, 21],
] as const;
const roll = dice(23);
const pad = (value: number) => String(value).padStart(2, "0");

export const shop: World = {
  name: "shop",
  tables: {
    customers: generated("customer_id,customer_name,city,country,signup_date,is_premium", 12, (id) => {
      const place = roll(5);
      return [
        id,
        pick(CUSTOMERS, id - 1),
        pick(CITIES, place),
        pick(COUNTRIES, place),
        `20${pad(17 + roll(5))}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
        roll(3) === 0 ? 1 : 0,
      ];
    }),
    categories: "category_id,category_name\n1,Clothing\n2,Camping\n3,Navigation & Tools\n4,Kitchen",
    products: generated("product_id,product_name,category_id,unit_price,stock", 10, (id) => [
      id,
      ...pick(PRODUCTS, id - 1),
      roll(7) === 0 ? 0 : roll(90),
    ]),
    orders: generated("order_id,customer_id,order_date,status,shipping_fee", 60, (id) => [
      1000 + id,
      1 + roll(11),
      `202${roll(3)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
      pick(["Delivered", "Delivered", "Shipped", "Cancelled", "Pending"], roll(5)),
      2 + roll(9),
    ]),
    order_items: generated("order_item_id,order_id,product_id,quantity,discount", 150, (id) => [
      id,
      1001 + ((id - 1) % 60),
      1 + roll(10),
      1 + roll(5),
      pick([0, 0, 0.1, 0.2], roll(4)),
    ]),
  },
  questions: [
    { ask: "How many orders were cancelled?", gold: "SELECT count(*) FROM orders WHERE status='Cancelled'" },
    {
      ask: "Which customer placed the most orders?",
      gold: "WITH c AS (SELECT customer_name, count(*) n FROM orders o JOIN customers c USING (customer_id) GROUP BY 1) SELECT customer_name FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is the total quantity sold of Wool Socks?",
      gold: "SELECT sum(quantity) FROM order_items JOIN products USING (product_id) WHERE product_name='Wool Socks'",
    },
    {
      ask: "List the names of the customers who never placed an order.",
      gold: "SELECT customer_name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)",
    },
    {
      ask: "What is the average unit price of products in the Camping category?",
      gold: "SELECT avg(unit_price) FROM products JOIN categories USING (category_id) WHERE category_name='Camping'",
    },
    {
      ask: "How many customers from Norway have placed an order in 2021?",
      gold: "SELECT count(DISTINCT customer_id) FROM orders JOIN customers USING (customer_id) WHERE country='Norway' AND year(order_date)=2021",
    },
    {
      ask: "For each category, give the category name and the number of products.",
      gold: "SELECT category_name, count(*) FROM products JOIN categories USING (category_id) GROUP BY 1",
    },
    {
      ask: "What is the most expensive product and its price?",
      gold: "SELECT product_name, unit_price FROM products ORDER BY unit_price DESC LIMIT 1",
    },
    {
      ask: "What share of orders were delivered, in percent?",
      gold: "SELECT 100.0*count(*) FILTER (WHERE status='Delivered')/count(*) FROM orders",
    },
    { ask: "Which products are out of stock?", gold: "SELECT product_name FROM products WHERE stock=0" },
    {
      ask: "What are the three cheapest products?",
      gold: "SELECT product_name FROM products ORDER BY unit_price LIMIT 3",
    },
    { ask: "How many distinct cities do our customers live in?", gold: "SELECT count(DISTINCT city) FROM customers" },
    {
      ask: "What is the total shipping fee paid by premium customers?",
      gold: "SELECT sum(shipping_fee) FROM orders JOIN customers USING (customer_id) WHERE is_premium=1",
    },
    {
      ask: "Which month of 2021 had the highest number of orders?",
      gold: "WITH c AS (SELECT month(order_date) m, count(*) n FROM orders WHERE year(order_date)=2021 GROUP BY 1) SELECT m FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    {
      ask: "What is the total revenue (quantity times unit price) of delivered orders?",
      gold: "SELECT sum(quantity*unit_price) FROM order_items JOIN products USING (product_id) JOIN orders USING (order_id) WHERE status='Delivered'",
    },
    {
      ask: "Which city has the most customers?",
      gold: "WITH c AS (SELECT city, count(*) n FROM customers GROUP BY 1) SELECT city FROM c WHERE n=(SELECT max(n) FROM c)",
    },
    { ask: "How many products cost more than 50?", gold: "SELECT count(*) FROM products WHERE unit_price>50" },
    {
      ask: "List all products that were ordered by Hana Sato.",
      gold: "SELECT DISTINCT product_name FROM orders JOIN customers USING (customer_id) JOIN order_items USING (order_id) JOIN products USING (product_id) WHERE customer_name='Hana Sato'",
    },
    { ask: "When did Karl Braun sign up?", gold: "SELECT signup_date FROM customers WHERE customer_name='Karl Braun'" },
    {
      ask: "What is the average number of orders per customer?",
      gold: "SELECT count(*)*1.0/count(DISTINCT customer_id) FROM orders",
    },
    {
      ask: "Which customers have placed more than 6 orders?",
      gold: "SELECT customer_name FROM orders JOIN customers USING (customer_id) GROUP BY customer_id, customer_name HAVING count(*)>6",
    },
    {
      ask: "How many orders were placed before July 2020?",
      gold: "SELECT count(*) FROM orders WHERE order_date<'2020-07-01'",
    },
    {
      ask: "What is the average shipping fee for each order status?",
      gold: "SELECT status, avg(shipping_fee) FROM orders GROUP BY 1",
    },
    { ask: "What percentage of customers are premium?", gold: "SELECT 100.0*sum(is_premium)/count(*) FROM customers" },
    {
      ask: "How many more orders were delivered than shipped?",
      gold: "SELECT count(*) FILTER (WHERE status='Delivered')-count(*) FILTER (WHERE status='Shipped') FROM orders",
    },
    {
      ask: "What is the second most expensive product?",
      gold: "SELECT product_name FROM products ORDER BY unit_price DESC LIMIT 1 OFFSET 1",
    },
  ],
};
