import { compileContext } from "../context/compile.js";
import { domainSource } from "../context/connections/domain-source.js";
import type { QueryPool } from "../context/query-pool.js";
import type { Environment } from "../core/environment.js";
import type { DomainQuery } from "../core/ports/domain-query.js";
import type { Task } from "../core/task.js";
import type { OpenDomains } from "../score/scorer.js";

export interface DomainRoom {
  readonly env: Environment;
  readonly cacheDir: string;
  readonly pool: QueryPool;
  readonly timeout_ms: number;
}

/** What the checks of a task ask for legal values. */
export type TaskDomains = (task: Pick<Task, "context_dir">) => OpenDomains;

/** Opens data and connections when a check first asks, once for all repeats of a task. */
export function taskDomains({ env, cacheDir, pool, timeout_ms }: DomainRoom): TaskDomains {
  const open = new Map<string, DomainQuery>();
  return ({ context_dir }) =>
    (connections) => {
      const key = JSON.stringify([context_dir, ...connections]);
      const context = async () => pool.worker(await compileContext(context_dir, { cache_dir: cacheDir }));
      const query = open.get(key) ?? domainSource({ connections, context, env, timeout_ms });
      open.set(key, query);
      return query;
    };
}
