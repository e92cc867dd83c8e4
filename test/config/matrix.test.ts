import { describe, expect, it } from "vitest";
import { armsDigest, loadArms, loadProfile } from "../../src/config/load-profile.js";
import { selectArms } from "../../src/config/select-arms.js";
import { folderWith } from "../support/folder.js";
import { usageLines } from "../support/usage-lines.js";

const arms = (yaml: string, overrides: readonly string[] = [], env: Record<string, string> = {}) =>
  loadArms({ file: `${folderWith({ "p.yaml": yaml })}/p.yaml`, overrides, env });
const names = async (yaml: string, overrides: readonly string[] = []) =>
  (await arms(yaml, overrides)).map(({ name }) => name);
const linesOf = async (yaml: string) =>
  (await usageLines(() => arms(yaml))).map((line) => line.replace(/^.*(?=p\.yaml)/, ""));

describe("a profile's matrix", () => {
  it("makes an arm for each combination, named after what it differs in, the last key changing fastest", async () => {
    const found = await arms(
      "extends: builtin\nmatrix:\n  agent.max_steps: [4, 8]\n  model.temperature: [0, 0.2, null]\n",
    );
    expect(found.map(({ name }) => name)).toEqual([
      "max_steps=4,temperature=0",
      "max_steps=4,temperature=0.2",
      "max_steps=4,temperature=null",
      "max_steps=8,temperature=0",
      "max_steps=8,temperature=0.2",
      "max_steps=8,temperature=null",
    ]);
    expect(found.map(({ profile }) => [profile.agent.max_steps, profile.model.temperature])).toEqual([
      [4, 0],
      [4, 0.2],
      [4, null],
      [8, 0],
      [8, 0.2],
      [8, null],
    ]);
  });

  it("without one there is the arm main", async () => {
    expect(await names("extends: builtin\n")).toEqual(["main"]);
  });

  it("takes sections within each other, as --set writes them", async () => {
    expect(await names("extends: builtin\n", ["matrix.model.temperature=[0, 1]"])).toEqual([
      "temperature=0",
      "temperature=1",
    ]);
  });

  it("lays a map over what the profile has there, and calls it by its name, else by its position", async () => {
    const yaml =
      "extends: builtin\nmodel: {temperature: 0.7}\nmatrix:\n  model: [{name: 'org/big:8b'}, {provider: lexical}]\n";
    const found = await arms(yaml);
    expect(found.map(({ name }) => name)).toEqual(["model=org-big-8b", "model=2"]);
    expect(found.map(({ profile }) => [profile.model.name, profile.model.temperature])).toEqual([
      ["org/big:8b", 0.7],
      ["lexical", 0.7],
    ]);
  });

  it("writes out keys that end alike, and numbers values that are called alike", async () => {
    const yaml = "extends: builtin\nmatrix: {process_validation.mode: [observe], answer_validation.mode: [off, off]}\n";
    expect(await names(yaml)).toEqual([
      "process_validation.mode=observe,answer_validation.mode=off",
      "process_validation.mode=observe,answer_validation.mode=off-2",
    ]);
  });

  it("puts environment variables into values and never into names", async () => {
    const yaml = "extends: builtin\nmatrix:\n  model.name: ['$" + "{ONE}', two]\n";
    const found = await arms(yaml, [], { ONE: "not-in-a-name" });
    expect(found.map(({ name, profile }) => [name, profile.model.name])).toEqual([
      ["name=ONE", "not-in-a-name"],
      ["name=two", "two"],
    ]);
  });

  it.each<[string, string[]]>([
    [
      "matrix: {repeats: [1, 3], gate.min_pass: [1]}\n",
      [
        "p.yaml:2: matrix.gate.min_pass: arms of one run cannot differ in gate.min_pass; start a run for each value and compare them with diff",
        "p.yaml:2: matrix.repeats: arms of one run cannot differ in repeats; start a run for each value and compare them with diff",
      ],
    ],
    ["matrix: {model.temperature: 0}\n", ["p.yaml:2: matrix.model.temperature must be a list of at least one value"]],
    [
      "matrix: [1]\n",
      ["p.yaml:2: matrix must be a map of keys to lists of values, for example { model.temperature: [0, 0.2] }"],
    ],
    [
      "matrix:\n  model.temprature: [0]\n",
      ['p.yaml:3: unknown key "temprature" in model; did you mean "temperature"?'],
    ],
    [
      "matrix:\n  model.temperature:\n    - 0\n    - hot\n",
      ['p.yaml:5: model.temperature must be a number from 0 to 2, or null, not "hot"'],
    ],
    ["matrx: {}\n", ['p.yaml:2: unknown key "matrx"; did you mean "matrix"?']],
    ["matrix:\n  model.name: ['x-2', x, x]\n", []],
    [
      "matrix:\n  model.name: [x, x, 'x-2']\n",
      ["p.yaml:2: the matrix makes two arms called name=x-2: write its values so that they differ"],
    ],
    [
      `matrix: {seed2: [${Array.from({ length: 1001 }, (_, index) => index).join(", ")}]}\n`,
      ["p.yaml:2: the matrix makes 1001 arms; at most 1000"],
    ],
  ])("%# is right, or wrong in one line that says where", async (matrix, expected) => {
    if (expected.length === 0) await arms(`extends: builtin\n${matrix}`);
    else expect((await linesOf(`extends: builtin\n${matrix}`)).sort()).toEqual(expected);
  });

  it("is refused where one profile is needed", async () => {
    const file = `${folderWith({ "p.yaml": "extends: builtin\nmatrix: {model.temperature: [0, 1]}\n" })}/p.yaml`;
    expect(await usageLines(() => loadProfile({ file, overrides: [], env: {} }))).toEqual([
      `${file}: the profile has a matrix of 2 arms; one without a matrix is needed here`,
    ]);
  });

  it("has one digest for the same arms, and another for other arms", async () => {
    const digest = async (yaml: string) => armsDigest(await arms(`extends: builtin\n${yaml}`));
    const two = "matrix: {model.temperature: [0, 1]}\n";
    expect(await digest(two)).toBe(await digest(`concurrency: 9\n${two}`));
    expect(await digest(two)).not.toBe(await digest("matrix: {model.temperature: [0, 0.5]}\n"));
    expect(await digest(two)).not.toBe(await digest(""));
  });
});

describe("choosing arms", () => {
  const yaml = "extends: builtin\nmatrix: {agent.max_steps: [4, 8], model.temperature: [0, 1]}\n";

  it("takes all, or those that a name or glob fits", async () => {
    const all = await arms(yaml);
    const chosen = (wanted: string[]) => selectArms(all, wanted).map(({ name }) => name);
    expect(chosen([])).toHaveLength(4);
    expect(chosen(["max_steps=4,temperature=1"])).toEqual(["max_steps=4,temperature=1"]);
    expect(chosen(["max_steps=8,*", "*temperature=1"])).toEqual([
      "max_steps=4,temperature=1",
      "max_steps=8,temperature=0",
      "max_steps=8,temperature=1",
    ]);
  });

  it("says which there are where none fits", async () => {
    const all = await arms(yaml);
    expect(await usageLines(() => selectArms(all, ["max_steps=4,temperature=2"]))).toEqual([
      "--arm max_steps=4,temperature=2: the profile has no such arm; did you mean max_steps=4,temperature=0?",
    ]);
    expect(await usageLines(() => selectArms(all, ["zzz"]))).toEqual([
      expect.stringMatching(/^--arm zzz: the profile has no such arm; the arms are max_steps=4,temperature=0 · /),
    ]);
  });
});
