import type { CommittedChange, TableCache } from "./table-cache";
import type { ChangeLog } from "./transactions.sql";

const PAGE_SIZE = 100;

/**
 * Brings the caches of one process up to date with all committed changes, in the order of their numbers. A cache
 * whose read failed reloads everything, and so do all caches if a number is missing.
 */
export class Feed {
  readonly #stale = new Set<TableCache>();
  #last = 0;
  #held = 0;
  #underWay: Promise<void> = Promise.resolve();
  /** The reading that has not begun. */
  #next: Promise<void> | null = null;

  constructor(
    private readonly log: ChangeLog,
    private readonly caches: readonly TableCache[],
  ) {}

  /** The number of the last change that all caches hold: less than what was read while one of them is behind. */
  get last(): number {
    return this.#held;
  }

  /** Fills the caches. Await it before anything else. @throws Error of the store. */
  async open(): Promise<void> {
    this.#last = await this.log.lastNumber();
    for (const cache of this.caches) await cache.load();
    this.#held = this.#last;
  }

  /**
   * Resolves when the caches hold every change that was committed before this call.
   * @throws Error of the store; the next call reads the failed part again.
   */
  catchUp(): Promise<void> {
    // Many calls may wait for the same change: one reading is enough for all that arrive before it begins.
    if (this.#next) return this.#next;
    const caughtUp = this.#underWay.then(() => {
      this.#next = null;
      return this.#catchUp();
    });
    this.#next = caughtUp;
    this.#underWay = caughtUp.catch(() => undefined);
    return caughtUp;
  }

  async #catchUp(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const changes = await this.log.listAfter(this.#last, PAGE_SIZE);
      await this.#apply(changes);
      isMore = changes.length === PAGE_SIZE;
      // Thousands may be committed at once: other requests are served meanwhile.
      if (isMore) await new Promise(setImmediate);
    }
    for (const cache of this.#stale) {
      await cache.load();
      this.#stale.delete(cache);
    }
    this.#held = this.#last;
  }

  async #apply(changes: readonly CommittedChange[]): Promise<void> {
    for (const { number } of changes) {
      if (number !== this.#last + 1) for (const cache of this.caches) this.#stale.add(cache);
      this.#last = number;
    }
    const touched = changes.flatMap((change) => change.touched);
    for (const cache of this.caches) {
      if (this.#stale.has(cache)) continue;
      try {
        await reread(cache, touched);
      } catch {
        this.#stale.add(cache);
      }
    }
  }
}

/** Rows that a cache reads one by one or many together, and all of them once where it reads no single ones. */
export async function reread(cache: TableCache, touched: CommittedChange["touched"]): Promise<void> {
  if (touched.some(({ table }) => cache.reread[table] === cache.load)) return cache.load();
  for (const row of touched) await cache.reread[row.table]?.(row);
  for (const [table, readMany] of Object.entries(cache.rereadMany ?? {})) {
    const rows = touched.filter((row) => row.table === table);
    if (rows.length > 0) await readMany(rows);
  }
}
