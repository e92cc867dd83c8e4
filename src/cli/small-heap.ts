import { setFlagsFromString } from "node:v8";

/**
 * Keeps the memory of a long run flat and small. V8 by default lets both of its generations grow to several times what is in use: right for
 * a program that computes, wrong for one that waits for models beside others on a CI machine. Here the young generation stays as
 * large as it is once the command has been loaded, and the old one is collected when it has grown by a fifth; that costs a run of
 * instant replies a few percent of its time. Both are plain numbers that V8 reads anew at each collection.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--semi-space-growth-factor=1");
  setFlagsFromString("--heap-growing-percent=20");
}
