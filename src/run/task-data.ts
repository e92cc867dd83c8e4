import { type CompiledContext, compileContext } from "../context/compile.js";
import { knowledgeOf } from "../context/documents.js";
import { type LightCatalog, lightCatalog } from "../core/catalog.js";

/** A task's data as its trials need it. */
export interface TaskData {
  readonly context: CompiledContext;
  readonly catalog: LightCatalog;
  /** knowledge.md in full; null where the task has none. */
  readonly knowledge: string | null;
}

/** A task's data could not be compiled: the trial cannot start. Infrastructure, not the agent. */
export class ContextError extends Error {
  readonly code = "context";
}

/** The data of a context folder. Rejects with ContextError, or with the reason of `cancel`. */
export type LoadTaskData = (contextDir: string) => Promise<TaskData>;

/**
 * Loads each folder once for the trials that run beside and after one another. The `most` newest in use are kept: as many as there are
 * trials at once, since all repeats of a task start together.
 */
export function taskDataLoader(cacheDir: string, cancel: AbortSignal, most: number): LoadTaskData {
  const loaded = new Map<string, Promise<TaskData>>();
  // The last one that was opened: tasks of a suite often stand on the same data.
  let newest: TaskData | null = null;
  const load = async (contextDir: string): Promise<TaskData> => {
    const last = newest;
    const opened = (digest: string) => (last?.context.digest === digest ? last.context : undefined);
    const context = await compileContext(contextDir, { cache_dir: cacheDir, opened, signal: cancel });
    if (last?.context === context) return last;
    const data = { context, catalog: lightCatalog(context.catalog), knowledge: await knowledgeOf(context) };
    newest = data;
    return data;
  };
  return async (contextDir) => {
    const data = loaded.get(contextDir) ?? load(contextDir);
    loaded.delete(contextDir);
    loaded.set(contextDir, data);
    for (const oldest of loaded.keys()) {
      if (loaded.size <= most) break;
      loaded.delete(oldest);
    }
    try {
      return await data;
    } catch (error) {
      // The next trial tries again: what is in the way may have gone.
      if (loaded.get(contextDir) === data) loaded.delete(contextDir);
      if (cancel.aborted) throw error;
      throw new ContextError(`${contextDir}: ${error instanceof Error ? error.message : error}`);
    }
  };
}
