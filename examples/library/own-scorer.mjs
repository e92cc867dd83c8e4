// A scorer of your own, over a run that is there already: no model, no key, and a second time appends nothing.
import { readFile } from "node:fs/promises";
import { scored, scoreRun, unscored } from "daw-eval";

/** Share of gold's rows that the prediction has, by count alone. */
const rowCount = {
  name: "row-count",
  version: "1",
  options: [],
  async score({ prediction }, { file }) {
    if (file === null) return unscored("there is no gold.csv");
    if (prediction === null) return { status: "missing", value: 0, reason: "there is no prediction", details: {} };
    const [given, wanted] = await Promise.all([prediction, file].map(countRows));
    return scored(Math.max(given, wanted) === 0 ? 1 : Math.min(given, wanted) / Math.max(given, wanted), {
      rows: given,
    });
  },
};

async function countRows(file) {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.length - 1;
}

const { appended, summary } = await scoreRun({ folder: process.argv[2], scorers: [rowCount], env: process.env });
const own = summary.arms[0].scorers.find(({ scorer }) => scorer === "row-count");
console.log(`${appended} scores appended; mean row-count ${own.mean_score.toFixed(3)}`);
