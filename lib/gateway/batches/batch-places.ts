/** The batches that one process may have begun. Those that wait for their limits are kept in memory with some lines. */
const MAX_OPEN = 16;
/** A project may begin fewer, so that its waiting batches leave places for other projects. */
const MAX_OPEN_PER_PROJECT = 4;
/** The batches of one process whose lines may be answered concurrently. */
const MAX_WORKING = 4;
/** One project has fewer, so that a slow provider of its batches leaves a place for other projects. */
const MAX_WORKING_PER_PROJECT = 3;
/** The batches that may be open beyond `MAX_OPEN` because they only have to be ended. */
const MAX_ENDING = 4;

interface OpenBatch {
  readonly projectId: string;
  /** True while its lines wait for a limit, the balance or their provider. */
  readonly isWaiting: boolean;
}

/** Whether a process can begin another batch, at least one that only has to be ended. */
export function hasPlace(openCount: number): boolean {
  return openCount < MAX_OPEN + MAX_ENDING;
}

/** The projects of which no further batch may begin; "all" if every place is taken. */
export function listFullProjects(openBatches: readonly OpenBatch[]): readonly string[] | "all" {
  const working = openBatches.filter(({ isWaiting }) => !isWaiting).length;
  if (openBatches.length >= MAX_OPEN || working >= MAX_WORKING) return "all";
  return [...new Set(openBatches.map(({ projectId }) => projectId))].filter((id) => {
    const own = openBatches.filter(({ projectId }) => projectId === id);
    const ownWorking = own.filter(({ isWaiting }) => !isWaiting).length;
    return own.length >= MAX_OPEN_PER_PROJECT || ownWorking >= MAX_WORKING_PER_PROJECT;
  });
}
