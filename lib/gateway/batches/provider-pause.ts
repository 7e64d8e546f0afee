import type { Timers } from "../effects";

/** How often a line that waits looks whether its batch stops. */
export const LOOK_MS = 1_000;

/** Holds the lines of a batch back for as long as its provider, which is at its limit, has asked for. */
export class ProviderPause {
  #pauses = 0;

  /** @param closing ends all pauses. */
  constructor(
    private readonly timers: Pick<Timers, "wait">,
    private readonly closing: AbortSignal,
  ) {}

  begin(ms: number): void {
    this.#pauses++;
    void this.timers.wait(ms, this.closing).finally(() => this.#pauses--);
  }

  /** Resolves once no pause is left, or once `isOver`. Calls `note` as long as it waits. */
  async wait(isOver: () => boolean, note: () => void): Promise<void> {
    while (this.#pauses > 0 && !isOver()) {
      note();
      await this.timers.wait(LOOK_MS, this.closing);
    }
  }
}
