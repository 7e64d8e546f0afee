/** The batches that one process may have begun. Those that wait for their limits are kept in memory with some lines. */
const OPEN_AT_ONCE = 16;
/** Of one project, so that its waiting batches leave places for the others. */
const OF_ONE_PROJECT = 4;
/** The batches whose lines are being answered at once. */
const WORKING_AT_ONCE = 4;
/** Of one project, so that a slow provider of its batches leaves a place for the others. */
const WORKING_OF_ONE_PROJECT = 3;
/** Beside them: batches that only have to be ended. */
const ENDING_AT_ONCE = 4;

interface OpenBatch {
  readonly projectId: string;
  /** True while its lines wait for a limit, the balance or their provider. */
  readonly isWaiting: boolean;
}

/** Whether a process can begin another batch, at least one that only has to be ended. */
export function hasPlace(openCount: number): boolean {
  return openCount < OPEN_AT_ONCE + ENDING_AT_ONCE;
}

/** The projects of which no further batch may begin; "all" if every place is taken. */
export function listFullProjects(openBatches: readonly OpenBatch[]): readonly string[] | "all" {
  const working = openBatches.filter(({ isWaiting }) => !isWaiting).length;
  if (openBatches.length >= OPEN_AT_ONCE || working >= WORKING_AT_ONCE) return "all";
  return [...new Set(openBatches.map(({ projectId }) => projectId))].filter((id) => {
    const own = openBatches.filter(({ projectId }) => projectId === id);
    const ownWorking = own.filter(({ isWaiting }) => !isWaiting).length;
    return own.length >= OF_ONE_PROJECT || ownWorking >= WORKING_OF_ONE_PROJECT;
  });
}
