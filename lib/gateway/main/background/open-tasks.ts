import { join } from "node:path";
import { DAY_MS, MINUTE_MS } from "@/lib/contract/durations";
import { FormReceiver } from "../../calls/requests/uploaded-form";
import { systemChange, type Write } from "../../changes/change";
import type { Configuration } from "../../configuration/configuration";
import { createDiskFiles } from "../../files/file-storage";
import { TaskWatch } from "../../tasks/task-watch";
import { TaskWorker } from "../../tasks/task-worker";
import { deleteOldTaskFiles } from "../../tasks/tasks";
import type { StoreOptions } from "../gateway-options";
import { machineTimers } from "../machine-runtime";
import type { State } from "../memory/load-state";
import type { Stores } from "../open-stores";
import { openStoredFiles } from "./open-files";
import { toRetention } from "./prune-store.sql";
import type { SteadyClock } from "./steady-clock";

/** The longest delay before a due task is processed. */
const POLL_MS = 250;
const OLD_FILES_MS = MINUTE_MS;
/** Each may have 50 MiB on disk until its task has ended. */
const MAX_ORDERS_WITH_INPUTS = 400;
/** A task's deadline is shorter, so older pictures belong to no task. */
const MAX_INPUT_MS = 2 * DAY_MS;

/**
 * Processes tasks in the background, including those of an earlier process, and deletes their files once they expire.
 */
export function openTasks(
  options: Pick<StoreOptions, "runtime" | "logFault" | "dataFolder">,
  {
    tasks,
    taskClaims,
    owner,
    isAlone,
    funds,
    digests,
    organization,
  }: Pick<Stores, "tasks" | "taskClaims" | "owner" | "isAlone" | "funds" | "digests" | "organization">,
  { changes, admissions, catalogue, directory, links }: State,
  {
    retention,
    outputs,
    steadyClock,
  }: Pick<Configuration, "retention" | "outputs"> & { readonly steadyClock: SteadyClock },
) {
  const { runtime, logFault, dataFolder } = options;
  const write: Write = (work) => systemChange({ changes }, "task", work);
  const claims = taskClaims(write, owner);
  const taskWatch = new TaskWatch({ tasks, organization, clock: runtime.clock, logFault });
  const local = createDiskFiles(join(dataFolder, "outputs"));
  const find = (id: string) => findOutputs(tasks, id);
  const stored = openStoredFiles(options, { outputs }, { local, find, digests, write, isShared: !isAlone });
  const outputFiles = stored.storedFiles;
  const inputFiles = createDiskFiles(join(dataFolder, "inputs"));
  const worker = new TaskWorker({
    claims,
    outputFiles,
    inputFiles,
    funds,
    admissions,
    catalogue,
    directory,
    links,
    runtime,
    timers: machineTimers,
    steadyClock,
    logFault,
  });
  if (isAlone) claims.releaseOthers().catch((error: unknown) => logFault("tasks", error));
  const keptMs = toRetention(retention).taskOutputsMs;
  const deletion = { changes, tasks, outputFiles, runtime, inputFiles, steadyClock };
  const deleteOld = () => deleteOldWork(deletion, keptMs);
  const timers = [
    repeat(POLL_MS, () => void worker.workOnDue()),
    repeat(OLD_FILES_MS, () => deleteOld().catch((error: unknown) => logFault("files of tasks", error))),
  ];
  return {
    outputFiles,
    inputReceiver: new FormReceiver(inputFiles, logFault, MAX_ORDERS_WITH_INPUTS),
    /** Processes due tasks at once instead of at the next interval. */
    workOnTasks: () => void worker.workOnDue(),
    taskWatch,
    async close() {
      taskWatch.close();
      timers.forEach(clearInterval);
      await worker.close();
      await stored.close();
    },
  };
}

/** Calls `act` regularly, without keeping the process alive. */
function repeat(everyMs: number, act: () => unknown): ReturnType<typeof setInterval> {
  const timer = setInterval(act, everyMs);
  timer.unref();
  return timer;
}

async function findOutputs(tasks: Pick<Stores["tasks"], "find">, id: string) {
  const task = await tasks.find(id);
  return task && { files: task.files, mayLeave: task.status === "succeeded" };
}

/** Deletes the files that tasks have left behind; a clock that may be wrong deletes nothing. */
async function deleteOldWork(
  context: Parameters<typeof deleteOldTaskFiles>[0] & {
    readonly inputFiles: ReturnType<typeof createDiskFiles>;
    readonly steadyClock: SteadyClock;
  },
  keptMs: number | null,
): Promise<void> {
  if (!context.steadyClock.isSteady()) return;
  await context.inputFiles.deleteOld(Date.now() - MAX_INPUT_MS);
  if (keptMs !== null) await deleteOldTaskFiles(context, keptMs);
}
