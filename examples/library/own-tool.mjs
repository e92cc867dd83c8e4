// A tool of your own beside the built-in ones: the zod schema is what the model sees and what checks its arguments.
import { defineTool, runSuite } from "daw-eval";
import { z } from "zod";

const convertTemperature = defineTool({
  name: "convert_temperature",
  description: "Converts degrees between Celsius and Fahrenheit.",
  args: z.object({ degrees: z.number(), to: z.enum(["celsius", "fahrenheit"]) }),
  rest: "Nothing is left out.",
  async execute({ degrees, to }) {
    const converted = to === "celsius" ? ((degrees - 32) * 5) / 9 : (degrees * 9) / 5 + 32;
    return { ok: true, content: { degrees: converted, unit: to }, truncated: false };
  },
});

const { folder, summary } = await runSuite({
  tasks: "tasks/demo",
  only: ["task_01_snow_days"],
  set: ["repeats=1"],
  run_id: "own-tool",
  env: process.env,
  tools: [convertTemperature],
});
console.log(`${folder}: pass rate ${summary.arms[0].mean}`);
