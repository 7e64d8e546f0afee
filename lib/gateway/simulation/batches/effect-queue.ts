import type { SeededRandom } from "../seeded-random";

interface Pending {
  readonly what: string;
  /** Null once it is done. */
  act: (() => Promise<() => void>) | null;
  answer: () => void;
  /** Called if the process dies before it learns that the effect is done. */
  readonly onLost: (() => void) | undefined;
}

/**
 * The effects of one process on the store and the disk. Each takes two steps, which the simulation picks: it is done,
 * and the process learns of it. In between the process may die, or time may pass.
 */
export class EffectQueue {
  #pending: Pending[] = [];

  get size(): number {
    return this.#pending.length;
  }

  ask<Result>(what: string, act: () => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const settle = () =>
        act().then(
          (result) => () => resolve(result),
          (error: unknown) => () => reject(error),
        );
      this.#pending.push({ what, act: settle, answer: () => {}, onLost: undefined });
    });
  }

  /** An effect that is done at once, in the same tick as the code that asks for it. */
  askAtOnce<Result>(what: string, act: () => Result, onLost: () => void): Promise<Result> {
    const result = act();
    return new Promise((resolve) => {
      this.#pending.push({ what, act: null, answer: () => resolve(result), onLost });
    });
  }

  /** Takes one step of one of the effects. @returns which one. */
  async step(random: SeededRandom): Promise<string> {
    const at = random.between(0, this.#pending.length - 1);
    const pending = this.#pending[at];
    if (!pending) return "nothing";
    if (pending.act) {
      pending.answer = await pending.act();
      pending.act = null;
      return `${pending.what} is done`;
    }
    this.#pending.splice(at, 1);
    pending.answer();
    return `${pending.what} is answered`;
  }

  /** The process dies: what was not done never is. */
  lose(): void {
    for (const { act, onLost } of this.#pending) if (!act) onLost?.();
    this.#pending = [];
  }
}
