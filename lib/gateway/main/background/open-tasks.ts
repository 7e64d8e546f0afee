import { join } from "node:path";
import { systemChange, type Write } from "../../changes/change";
import { TaskWorker } from "../../media/task-worker";
import { type RetentionDraft, toRetention } from "../../store/retention";
import { createDiskOutputFiles } from "../../store/tasks/disk-output-files";
import { deleteOldFiles } from "../../tasks/delete-old-files";
import type { State } from "../memory/load-state";
import type { StoreOptions, Stores } from "../open-stores";

/** The longest time between a task being due and being looked at. */
const LOOK_MS = 250;
const OLD_FILES_MS = 60_000;

/** Works on tasks in the background, those that an earlier process left among them, and deletes their files once they are old. */
export function openTasks(
  { effects, logFault, dataFolder }: Pick<StoreOptions, "effects" | "logFault" | "dataFolder">,
  { tasks, taskClaims, owner, funds }: Pick<Stores, "tasks" | "taskClaims" | "owner" | "funds">,
  { changes, admissions, catalogue, directory }: State,
  retention: RetentionDraft,
) {
  const write: Write = (work) => systemChange({ changes }, "task", work);
  const claims = taskClaims(write, owner);
  const outputFiles = createDiskOutputFiles(join(dataFolder, "outputs"));
  const worker = new TaskWorker({
    claims,
    outputFiles,
    funds,
    admissions,
    catalogue,
    directory,
    effects,
    logFault,
  });
  // Nobody else has the folder: what a process that died has claimed is free at once.
  claims.releaseOthers().catch((error: unknown) => logFault("tasks", error));
  const keptMs = toRetention(retention).taskOutputsMs;
  const deleteOld = async () => {
    if (keptMs !== null) await deleteOldFiles({ changes, tasks, outputFiles, effects }, keptMs);
  };
  const timers = [
    setInterval(() => void worker.workOnDue(), LOOK_MS),
    setInterval(() => deleteOld().catch((error: unknown) => logFault("files of tasks", error)), OLD_FILES_MS),
  ];
  for (const timer of timers) timer.unref();
  return {
    outputFiles,
    /** There is something to do: nobody has to wait for the next look. */
    workOnTasks: () => void worker.workOnDue(),
    close() {
      timers.forEach(clearInterval);
      return worker.close();
    },
  };
}
