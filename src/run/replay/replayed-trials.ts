import path from "node:path";
import type { TrialIdentity } from "../../core/identity.js";
import type { ImageReader } from "../../core/ports/image-reader.js";
import { createReplayModel } from "../../models/replay.js";
import { personOf } from "../ask-person.js";
import { openTrialLog, readEvents } from "../log/trial-log.js";
import { PROMPTS } from "../prompts-version.js";
import { runTrial } from "../run-trial.js";
import type { OpenRunner } from "../trial-runner.js";
import { createWorkClock } from "../work-clock.js";
import { storedTrial } from "./stored-trial.js";

/** A replay sends nothing, hence needs no bytes. */
const NO_IMAGES: ImageReader = {
  read: async (name) => ({ ok: false, error: "unreadable-image", message: `${name} is not read in a replay` }),
};

/** Trials that are answered as those of a stored run were: no model, no data, no sandbox. `folderOf` is a stored trial's newest attempt. */
export function replayedTrials(folderOf: (trial: TrialIdentity) => string): OpenRunner {
  return ({ runFolder, clock, cancel, deadline }) => ({
    run: async ({ identity, attempt, profile, onState }) => {
      const folder = folderOf(identity);
      const events = await readEvents(path.join(folder, "events.jsonl"));
      const stored = storedTrial(folder, events);
      const log = openTrialLog(runFolder, identity, attempt);
      const workClock = createWorkClock(clock);
      const model = createReplayModel(events, PROMPTS);
      const callTool = stored.callTools(log);
      const { queryData } = stored;
      try {
        const ports = {
          model,
          callTool,
          queryData,
          runCommand: stored.runCommand(log),
          images: NO_IMAGES,
          log,
          clock,
          workClock,
          cancel,
          deadline,
          askPerson: personOf(events),
          onState,
        };
        return await runTrial({ ...stored.begin, attempt }, profile, ports);
      } finally {
        await log.close();
      }
    },
    close: async () => {},
  });
}
