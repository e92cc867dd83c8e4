import { Worker } from "node:worker_threads";

const LOOK_EVERY_MS = 250;

/**
 * Ends this process soon after its parent, of process id `parent`, has ended in whatever way. For children whose queries block the main
 * thread, so that they see no end of a pipe: a thread of its own looks whether there is another parent by now.
 */
export function endWithParent(parent: number): void {
  const look = `setInterval(() => process.ppid === ${parent} || process.kill(process.pid, "SIGKILL"), ${LOOK_EVERY_MS})`;
  new Worker(look, { eval: true }).unref();
}
