import { z } from "zod";

/** What the schemas of a profile are made of. The message of a check is what is allowed, in words. */

export const section = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape, "a section of keys");

export const whole = (least: number, orNull = "") => {
  const allowed = `a whole number of at least ${least}${orNull}`;
  return z.int(allowed).min(least, allowed);
};
export const positive = (unit: string, orNull = "") => {
  const allowed = `a number of ${unit} above 0${orNull}`;
  return z.number(allowed).positive(allowed);
};
export const between = (least: number, most: number, orNull = "") => {
  const allowed = `a number from ${least} to ${most}${orNull}`;
  return z.number(allowed).min(least, allowed).max(most, allowed);
};
export const oneOf = <const Names extends readonly [string, ...string[]]>(names: Names) =>
  z.enum(names, `one of ${names.join(", ")}`);
export const flag = () => z.boolean("true or false");
export const OR_NULL = ", or null";

const VARIABLE_RULE = "the name of an environment variable, for example MODEL_API_KEY, never the key itself";
/** A value of the environment is named, never written. */
export const variableName = () => z.string(VARIABLE_RULE).regex(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/, VARIABLE_RULE);
