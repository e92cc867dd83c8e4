import { type PageData, type Trajectory, trajectoryElement } from "../page-data.js";

export function decodePage(): Promise<PageData> {
  return decode<PageData>("page").then((page) => {
    if (page === null) throw new Error("this file has no report in it");
    return page;
  });
}

/** Null where the run's folder had no events of the trial. */
export function decodeTrajectory(run: number, trial: number): Promise<Trajectory | null> {
  return decode<Trajectory>(trajectoryElement(run, trial));
}

/** The value in an element of this page; its type is what the renderer of the same version put there. */
async function decode<Value>(id: string): Promise<Value | null> {
  const text = document.getElementById(id)?.textContent;
  if (text === null || text === undefined) return null;
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).json();
}
