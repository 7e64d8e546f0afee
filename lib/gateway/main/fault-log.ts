import { inspect } from "node:util";
import { LineBudget } from "@/lib/line-budget/line-budget";
import type { Clock } from "../clock";
import { maskSecrets } from "../secrets/secret";

const MAX_LENGTH = 8_000;

/**
 * Writes faults to the log, with secrets masked. Strangers can cause some, such as by signing in while a provider is
 * away, so only some of each origin are written.
 */
export class FaultLog {
  readonly #budget: LineBudget;

  constructor(
    clock: Pick<Clock, "monotonicMs">,
    private readonly write: (line: string) => void,
  ) {
    this.#budget = new LineBudget(() => clock.monotonicMs());
  }

  /** @param where the origin; ids and numbers in it don't make it another one. */
  log(where: string, error: unknown): void {
    const origin = where.replace(/_\S+|\d+/g, "");
    this.#budget.spend(
      origin,
      () => this.write(maskSecrets(`[${where}] ${inspect(error)}`).slice(0, MAX_LENGTH)),
      (note) => this.write(`[${origin}] ${note}`),
    );
  }
}
