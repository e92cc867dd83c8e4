import { z } from "zod";
import { AGENT_NETWORKS, COMMAND_SANDBOXES } from "../core/profile.js";
import { oneOf, section, variableName, whole } from "./schema-parts.js";

/** `agent.command`: the program that is the agent where `strategy` is `command`. */
export const command = section({
  argv: z
    .array(z.string("text"), "a list: the program and its arguments")
    .min(1, "a list: the program and its arguments")
    .describe("The program and its arguments, as inside the sandbox, where `folder` is `/agent`."),
  folder: z
    .string("a folder's path, or null")
    .min(1, "a folder's path, or null")
    .nullable()
    .default(null)
    .describe("The program's own folder, which it can read; relative to the working directory."),
  network: oneOf(AGENT_NETWORKS)
    .default("none")
    .describe("`none`: nothing but the model port; `allow`: the machine's network. Recorded in every trial."),
  sandbox: oneOf(COMMAND_SANDBOXES)
    .default("auto")
    .describe("`auto`: in bubblewrap, or not at all; `unsafe-none`: with the rights of whoever runs us."),
  memory_mb: whole(64).default(4096).describe("Address space of each of its processes, in MiB."),
  env: z
    .array(variableName(), "a list of variables")
    .default([])
    .describe("Names of environment variables that it is given; what they hold is kept out of everything written."),
});
