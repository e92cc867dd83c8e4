import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ids of live processes whose command line has these words; those of sandboxes are seen from outside. */
export function processesWith(words: string): number[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => commandLine(pid).includes(words))
    .map(Number);
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Waits until a condition holds; fails after `most_ms`. */
export async function until(condition: () => boolean, most_ms = 20_000): Promise<void> {
  for (const end = Date.now() + most_ms; !condition(); ) {
    if (Date.now() > end) throw new Error(`waited ${most_ms} ms for: ${condition}`);
    await sleep(20);
  }
}
