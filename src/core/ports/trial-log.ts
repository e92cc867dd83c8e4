import type { CandidateFile, TrialEvent } from "../event.js";
import type { Table } from "./query-worker.js";

/** One trial's durable memory: its events and the tables that were submitted. */
export interface TrialLog {
  /** All events so far, oldest first; a torn last line is dropped. */
  read(): Promise<readonly TrialEvent[]>;
  /** Returns when the event, and all before it, are on disk. Calls may overlap; events keep the order of the calls. */
  append(event: TrialEvent): Promise<void>;
  /** Writes a submitted table beside the events, on disk before it returns. Same content → same file. */
  writeCandidate(table: Table): Promise<CandidateFile>;
  /** Copies a candidate of another trial, on disk before it returns. Rejects where the file is gone or is not what its name says. */
  copyCandidate(file: string, candidate: CandidateFile): Promise<void>;
  /** Makes a candidate the prediction, atomically, with its conclusion beside it. Returns the path relative to the run. */
  writePrediction(candidate: CandidateFile, conclusion: string | null): Promise<string>;
}
