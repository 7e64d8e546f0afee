import type { ChangeLog } from "./change-log.sql";
import type { CommittedChange, Mirror } from "./mirror";

const PAGE_SIZE = 100;

/**
 * Brings the mirrors of one process up to date with all committed changes, in the order of their numbers. A mirror
 * whose read failed reloads everything, and so do all mirrors if a number is missing.
 */
export class Feed {
  readonly #stale = new Set<Mirror>();
  #last = 0;
  #underWay: Promise<void> = Promise.resolve();

  constructor(
    private readonly log: ChangeLog,
    private readonly mirrors: readonly Mirror[],
  ) {}

  /** Fills the mirrors. Await it before anything else. @throws Error of the store. */
  async open(): Promise<void> {
    this.#last = await this.log.lastNumber();
    for (const mirror of this.mirrors) await mirror.load();
  }

  /**
   * Resolves when the mirrors hold every change that was committed before this call.
   * @throws Error of the store; the next call reads the failed part again.
   */
  catchUp(): Promise<void> {
    const caughtUp = this.#underWay.then(() => this.#catchUp());
    this.#underWay = caughtUp.catch(() => undefined);
    return caughtUp;
  }

  async #catchUp(): Promise<void> {
    for (let isMore = true; isMore; ) {
      const changes = await this.log.listAfter(this.#last, PAGE_SIZE);
      for (const change of changes) await this.#apply(change);
      isMore = changes.length === PAGE_SIZE;
    }
    for (const mirror of this.#stale) {
      await mirror.load();
      this.#stale.delete(mirror);
    }
  }

  async #apply({ number, touched }: CommittedChange): Promise<void> {
    if (number !== this.#last + 1) for (const mirror of this.mirrors) this.#stale.add(mirror);
    this.#last = number;
    for (const mirror of this.mirrors) {
      if (this.#stale.has(mirror)) continue;
      try {
        for (const row of touched) await mirror.reread[row.table]?.(row);
      } catch {
        this.#stale.add(mirror);
      }
    }
  }
}
