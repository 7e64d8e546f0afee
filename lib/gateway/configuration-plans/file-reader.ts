import { SECOND_MS } from "@/lib/contract/durations";
import { readPlannedFile } from "../configuration/read-configuration";
import { WorkerClient } from "../http/worker-client";
import { builtIn } from "../models/sandbox-models";
import type { FileOrFaults } from "./section";

/** The largest file that a request may hold takes a few seconds. */
const TIMEOUT_MS = 30 * SECOND_MS;

const TOO_SLOW = `The file takes longer than ${TIMEOUT_MS / SECOND_MS} seconds to read: plan it in parts, or as JSON`;

/** Reading YAML takes seconds, which would block every call on the event loop. */
const thread = new WorkerClient<string, FileOrFaults>({
  start: () => new Worker(new URL("./file-reader-thread.ts", import.meta.url)),
  timeoutMs: TIMEOUT_MS,
  listTransfers: () => [],
  standsAlone: () => true,
  createLossError: () => new Error("The thread that reads configuration files ended"),
  createCostError: () => new FileTooSlow(),
  // The caller logs the same error.
  logFault: () => {},
});
let underWay = 0;

class FileTooSlow extends Error {}

/** Characters that are read in a few milliseconds, which is less than a thread takes to start. */
const SMALL = 10_000;

/** Reads a file as `readPlannedFile` does, a large one on a thread, which ends with the last file. */
export async function readFile(text: string): Promise<FileOrFaults> {
  if (text.length <= SMALL) return readPlannedFile(text, builtIn);
  underWay++;
  try {
    return await thread.ask(text);
  } catch (error) {
    if (error instanceof FileTooSlow) return { faults: [TOO_SLOW] };
    throw error;
  } finally {
    underWay--;
    if (underWay === 0) thread.close();
  }
}
