import { dice, generated, pick, type World } from "./world.js";

const roll = dice(113);
const pad = (value: number) => String(value).padStart(2, "0");
const wide = () => (roll(100) + roll(100) + roll(100)) / 3;

/** One table a question, statistics words, an answer format: as data-analysis benchmarks ask. */
export const farm: World = {
  name: "farm",
  tables: {
    harvest: generated(
      "plot_id,crop,region,soil_ph,rain_mm,yield_kg,price_usd,irrigated,harvest_date,workers",
      120,
      (id) => {
        const rain = Math.round(wide() * 10) / 10 + (id % 37 === 0 ? 400 : 0);
        return [
          id,
          pick(["wheat", "maize", "barley", "oats"], roll(4)),
          pick(["north", "south", "east"], roll(3)),
          roll(9) === 0 ? "" : 5 + roll(30) / 10,
          rain,
          Math.round(200 + rain * 3 + roll(150)),
          `"${(1000 + roll(9000)).toLocaleString("en-US")}"`.replaceAll('"', ""),
          pick(["yes", "no"], roll(2)),
          `202${roll(3)}-${pad(1 + roll(12))}-${pad(1 + roll(28))}`,
          roll(12) === 0 ? "" : 1 + roll(14),
        ];
      },
    ),
  },
  questions: [
    {
      ask: 'Calculate the mean and standard deviation of the yield_kg column. Ignore missing values. Round to two decimal places. Answer format: @mean_yield[mean] @std_yield[std] where "mean" and "std" are numbers rounded to two decimal places.',
      gold: "SELECT round(avg(yield_kg),2), round(stddev_samp(yield_kg),2) FROM harvest",
    },
    {
      ask: "How many missing values are there in the soil_ph column? Answer format: @missing[count] where count is an integer.",
      gold: "SELECT count(*) FROM harvest WHERE soil_ph IS NULL",
    },
    {
      ask: 'Calculate the Pearson correlation coefficient between rain_mm and yield_kg. Round to three decimal places. Answer format: @corr[coefficient], where "coefficient" is a number between -1 and 1.',
      gold: "SELECT round(corr(rain_mm,yield_kg),3) FROM harvest",
    },
    {
      ask: "What is the median yield for wheat plots in the north region? Answer format: @median_yield[value] rounded to one decimal.",
      gold: "SELECT round(median(yield_kg),1) FROM harvest WHERE crop='wheat' AND region='north'",
    },
    {
      ask: "Identify the outliers in the rain_mm column using the IQR method (1.5 * IQR). Report the number of outliers and the mean of rain_mm after removing them, rounded to two decimals. Answer format: @outlier_count[count] @mean_without_outliers[mean]",
      gold: "WITH q AS (SELECT quantile_cont(rain_mm,0.25) a, quantile_cont(rain_mm,0.75) b FROM harvest) SELECT count(*) FILTER (WHERE rain_mm<a-1.5*(b-a) OR rain_mm>b+1.5*(b-a)), round(avg(rain_mm) FILTER (WHERE rain_mm BETWEEN a-1.5*(b-a) AND b+1.5*(b-a)),2) FROM harvest, q",
    },
    {
      ask: "Using the Z-score method with a threshold of 3, how many outliers are in the rain_mm column? Answer format: @n_outliers[number]",
      gold: "SELECT count(*) FROM harvest, (SELECT avg(rain_mm) m, stddev_pop(rain_mm) s FROM harvest) WHERE abs(rain_mm-m)/s>3",
    },
    {
      ask: 'Create a new feature called "yield_per_worker", calculated as the ratio of yield_kg to workers. Compute the mean of yield_per_worker, ignoring rows with missing values. Answer format: @mean_ypw[mean] rounded to two decimal places.',
      gold: "SELECT round(avg(yield_kg*1.0/workers),2) FROM harvest",
    },
    {
      ask: "What is the average price_usd? The values contain thousands separators; convert them to numbers first. Answer format: @mean_price[mean] with two decimals.",
      gold: "SELECT round(avg(cast(replace(price_usd,',','') AS DOUBLE)),2) FROM harvest",
    },
    {
      ask: "Compute the skewness and kurtosis of rain_mm using pandas. Answer format: @skew[skewness] @kurt[kurtosis] rounded to two decimals.",
      gold: "SELECT round(skewness(rain_mm),2), round(kurtosis(rain_mm),2) FROM harvest",
    },
    {
      ask: "Which region has the highest mean yield_kg? Answer format: @region[name] @mean[mean yield] where mean is rounded to two decimal places.",
      gold: "SELECT region, round(avg(yield_kg),2) m FROM harvest GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
    },
    {
      ask: "What percentage of plots are irrigated? Answer format: @irrigated_pct[percentage] rounded to two decimals.",
      gold: "SELECT round(100.0*count(*) FILTER (WHERE irrigated='yes')/count(*),2) FROM harvest",
    },
    {
      ask: "Calculate the range, minimum and maximum of the yield_kg column. Answer format: @min[min] @max[max] @range[range]",
      gold: "SELECT min(yield_kg), max(yield_kg), max(yield_kg)-min(yield_kg) FROM harvest",
    },
    {
      ask: "Calculate the first quartile, the third quartile and the interquartile range of rain_mm. Answer format: @q1[q1] @q3[q3] @iqr[iqr] rounded to two decimal places.",
      gold: "SELECT round(quantile_cont(rain_mm,0.25),2), round(quantile_cont(rain_mm,0.75),2), round(quantile_cont(rain_mm,0.75)-quantile_cont(rain_mm,0.25),2) FROM harvest",
    },
    {
      ask: "Fill the missing values in the soil_ph column with the mean of the column, then compute the standard deviation of soil_ph. Answer format: @std_ph[std] rounded to three decimals.",
      gold: "SELECT round(stddev_samp(coalesce(soil_ph,(SELECT avg(soil_ph) FROM harvest))),3) FROM harvest",
    },
    {
      ask: "What is the difference between the mean yield of irrigated plots and the mean yield of non-irrigated plots? Answer format: @diff[difference] rounded to two decimals.",
      gold: "SELECT round(avg(yield_kg) FILTER (WHERE irrigated='yes')-avg(yield_kg) FILTER (WHERE irrigated='no'),2) FROM harvest",
    },
    {
      ask: "Which crop is the most frequent in the dataset, and how many plots grow it? Answer format: @crop[name] @count[count]",
      gold: "SELECT crop, count(*) n FROM harvest GROUP BY 1 ORDER BY n DESC LIMIT 1",
    },
    {
      ask: "Apply a log transformation (base 10) to the yield_kg column and compute the mean of the transformed column. Answer format: @log_mean[mean] rounded to three decimals.",
      gold: "SELECT round(avg(log10(yield_kg)),3) FROM harvest",
    },
    {
      ask: "How many plots were harvested in 2021? Answer format: @plots[count]",
      gold: "SELECT count(*) FROM harvest WHERE year(harvest_date)=2021",
    },
    {
      ask: "Calculate the mean rainfall for each region. Answer format: @mean_rain_north[mean] @mean_rain_south[mean] @mean_rain_east[mean] rounded to two decimals.",
      gold: "SELECT round(avg(rain_mm) FILTER (WHERE region='north'),2), round(avg(rain_mm) FILTER (WHERE region='south'),2), round(avg(rain_mm) FILTER (WHERE region='east'),2) FROM harvest",
    },
    {
      ask: 'Calculate the Pearson correlation between soil_ph and yield_kg and decide whether the relationship is positive, negative or none. Consider it positive if r >= 0.5, negative if r <= -0.5, otherwise none. Answer format: @r[r] @relationship[type] where r is rounded to two decimals and type is "positive", "negative" or "none".',
      gold: "SELECT round(corr(soil_ph,yield_kg),2), CASE WHEN corr(soil_ph,yield_kg)>=0.5 THEN 'positive' WHEN corr(soil_ph,yield_kg)<=-0.5 THEN 'negative' ELSE 'none' END FROM harvest",
    },
  ],
};
