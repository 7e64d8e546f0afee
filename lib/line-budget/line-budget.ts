const MAX_A_MINUTE = 20;
const MINUTE_MS = 60_000;
/** More than there are; forgets all counts beyond. */
const MAX_ORIGINS = 200;

interface Minute {
  readonly sinceMs: number;
  count: number;
}

/** Lets twenty lines of each origin a minute into a log and counts the others, so that no stranger fills the disk. */
export class LineBudget {
  readonly #minutes = new Map<string, Minute>();

  /** @param nowMs monotonic milliseconds. */
  constructor(private readonly nowMs: () => number) {}

  /** Calls `write` if the origin may have another line, and `tell` with a line about those that it may not have. */
  spend(origin: string, write: () => void, tell: (note: string) => void): void {
    const minute = this.#findMinute(origin, tell);
    minute.count++;
    if (minute.count > MAX_A_MINUTE) return;
    write();
    if (minute.count === MAX_A_MINUTE) tell("Further lines are counted only, for a minute.");
  }

  #findMinute(origin: string, tell: (note: string) => void): Minute {
    const nowMs = this.nowMs();
    const last = this.#minutes.get(origin);
    if (last && nowMs - last.sinceMs < MINUTE_MS) return last;
    if (last && last.count > MAX_A_MINUTE) tell(`${last.count - MAX_A_MINUTE} more lines were not written.`);
    if (this.#minutes.size >= MAX_ORIGINS) this.#minutes.clear();
    const minute = { sinceMs: nowMs, count: 0 };
    this.#minutes.set(origin, minute);
    return minute;
  }
}
