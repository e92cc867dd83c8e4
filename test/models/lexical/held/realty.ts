import { dice, generated, pick, type World } from "../worlds/world.js";

const roll = dice(229);
const pad = (value: number) => String(value).padStart(2, "0");

/** Statistics of one table, in the manner of data-analysis benchmarks. */
export const realty: World = {
  name: "realty",
  tables: {
    listings: generated(
      "Id,Suburb,Type,Rooms,Price,Landsize_sqm,BuildingArea,YearBuilt,SaleDate,Distance,Has Garage,Agent Name",
      150,
      (id) => {
        const rooms = 1 + roll(6);
        const area = 35 + rooms * 22 + roll(60);
        return [
          id,
          pick(["Ashford", "Birkdale", "Carlow", "Derry"], roll(4)),
          pick(["house", "unit", "townhouse"], roll(3)),
          rooms,
          120000 + area * 3100 + roll(90000) + (id % 49 === 0 ? 1800000 : 0),
          roll(7) === 0 ? "" : 90 + roll(700),
          area,
          roll(5) === 0 ? "" : 1900 + roll(120),
          `${pad(1 + roll(28))}/${pad(1 + roll(12))}/20${pad(16 + roll(3))}`,
          roll(400) / 10,
          pick(["Yes", "No"], roll(2)),
          pick(["Kim Lee", "Ana Diaz", "Raj Patel"], roll(3)),
        ];
      },
    ),
  },
  questions: [
    {
      ask: 'What is the median Price of houses in Carlow? Answer format: @median_price[median_value] where "median_value" is a number rounded to two decimal places.',
      gold: "SELECT round(median(Price),2) FROM listings WHERE Type='house' AND Suburb='Carlow'",
    },
    {
      ask: "Determine the percentage of missing values in the YearBuilt column. Report the result rounded to two decimal places. Answer format: @missing_pct[percentage]",
      gold: "SELECT round(100.0*count(*) FILTER (WHERE YearBuilt IS NULL)/count(*),2) FROM listings",
    },
    {
      ask: "Compute the Pearson correlation coefficient between BuildingArea and Price. Also determine whether the correlation is statistically significant at the 0.05 level. Answer format: @correlation[r_value] @is_significant[True/False] where r_value is rounded to two decimals.",
      gold: "SELECT round(corr(BuildingArea,Price),2), 'True' FROM listings",
    },
    {
      ask: "Detect outliers in the Price column using the IQR method. How many outliers are there? Answer format: @outliers_count[integer]",
      gold: "WITH q AS (SELECT quantile_cont(Price,0.25) a, quantile_cont(Price,0.75) b FROM listings) SELECT count(*) FROM listings, q WHERE Price<a-1.5*(b-a) OR Price>b+1.5*(b-a)",
    },
    {
      ask: "Create a new column 'PricePerSqm' by dividing Price by BuildingArea. What are the mean and standard deviation of PricePerSqm? Round to 2 decimal places. Answer format: @mean_price_per_sqm[mean] @std_price_per_sqm[std]",
      gold: "SELECT round(avg(Price*1.0/BuildingArea),2), round(stddev_samp(Price*1.0/BuildingArea),2) FROM listings",
    },
    {
      ask: "Which suburb has the highest average Price, and what is that average? Round the average to two decimal places. Answer format: @suburb[name] @average_price[value]",
      gold: "SELECT Suburb, round(avg(Price),2) FROM listings GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    },
    {
      ask: "Calculate the mean Price for properties with a garage and for properties without a garage. Answer format: @mean_with_garage[value] @mean_without_garage[value], rounded to two decimals.",
      gold: "SELECT round(avg(Price) FILTER (WHERE \"Has Garage\"='Yes'),2), round(avg(Price) FILTER (WHERE \"Has Garage\"='No'),2) FROM listings",
    },
    {
      ask: 'Check whether the Distance column is normally distributed using the Shapiro-Wilk test with a significance level of 0.05. Answer format: @normality[Normal/Not Normal] where the value is "Normal" or "Not Normal".',
      gold: "SELECT 'Not Normal'",
    },
    {
      ask: "Fill missing values of Landsize_sqm with the median and calculate the mean of the column after filling. Answer format: @mean_landsize[mean_value] rounded to two decimals.",
      gold: "SELECT round(avg(coalesce(Landsize_sqm,(SELECT median(Landsize_sqm) FROM listings))),2) FROM listings",
    },
    {
      ask: "What is the average number of rooms for each property type? Answer format: @avg_rooms_house[value] @avg_rooms_unit[value] @avg_rooms_townhouse[value], each rounded to two decimal places.",
      gold: "SELECT round(avg(Rooms) FILTER (WHERE Type='house'),2), round(avg(Rooms) FILTER (WHERE Type='unit'),2), round(avg(Rooms) FILTER (WHERE Type='townhouse'),2) FROM listings",
    },
    {
      ask: "How many properties were sold in 2017? The SaleDate column has the format dd/mm/yyyy. Answer format: @sold_2017[count] where count is an integer.",
      gold: "SELECT count(*) FROM listings WHERE SaleDate LIKE '%/2017'",
    },
    {
      ask: "Find the 90th percentile of Price. Answer format: @p90[value] rounded to the nearest integer.",
      gold: "SELECT round(quantile_cont(Price,0.9)) FROM listings",
    },
    {
      ask: "Apply min-max normalization to the Distance column and report the mean of the normalized values, rounded to three decimals. Answer format: @mean_normalized[mean]",
      gold: "SELECT round(avg((Distance-(SELECT min(Distance) FROM listings))/((SELECT max(Distance)-min(Distance) FROM listings))),3) FROM listings",
    },
    {
      ask: "Calculate the Spearman rank correlation between Rooms and Price. Answer format: @spearman[coefficient] rounded to two decimals.",
      gold: "WITH r AS (SELECT rank() OVER (ORDER BY Rooms)+(count(*) OVER (PARTITION BY Rooms)-1)/2.0 a, rank() OVER (ORDER BY Price)+(count(*) OVER (PARTITION BY Price)-1)/2.0 b FROM listings) SELECT round(corr(a,b),2) FROM r",
    },
    {
      ask: "Which agent sold the most properties and how many did they sell? Answer format: @agent[name] @sales[count]",
      gold: 'SELECT "Agent Name", count(*) n FROM listings GROUP BY 1 ORDER BY n DESC LIMIT 1',
    },
    {
      ask: "Perform a t-test to compare the Price of houses and units. Report the p-value rounded to four decimal places and whether the difference is significant at 0.05. Answer format: @p_value[p] @significant[Yes/No]",
      gold: "SELECT 0.8288, 'No'",
    },
    {
      ask: "What is the variance of the Rooms column? Answer format: @variance[var] rounded to two decimals.",
      gold: "SELECT round(var_samp(Rooms),2) FROM listings",
    },
    {
      ask: "Calculate the total Price of all townhouses with at least 3 rooms. Answer format: @total[sum]",
      gold: "SELECT sum(Price) FROM listings WHERE Type='townhouse' AND Rooms>=3",
    },
  ],
};
