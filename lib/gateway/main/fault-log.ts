import { inspect } from "node:util";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../effects";
import { maskSecrets } from "../secrets/mask-secrets";

/** How many faults of one origin are written in a minute, and how much of each. */
const MAX_A_MINUTE = 20;
const MAX_LENGTH = 8_000;
/** More than there are; forgets all counts beyond. */
const MAX_ORIGINS = 200;

/** The faults of one origin in a minute. */
interface Minute {
  readonly sinceMs: number;
  count: number;
}

/**
 * Writes faults to the log, with secrets masked. Strangers can cause some, such as by signing in while a provider is
 * away, so no more than a few of each origin are written in a minute; the others are counted.
 */
export class FaultLog {
  readonly #minutes = new Map<string, Minute>();

  constructor(
    private readonly clock: Pick<Clock, "monotonicMs">,
    private readonly write: (line: string) => void,
  ) {}

  /** @param where the origin; ids and numbers in it don't make it another one. */
  log(where: string, error: unknown): void {
    const origin = where.replace(/_\S+|\d+/g, "");
    const minute = this.#findMinute(origin);
    minute.count++;
    if (minute.count > MAX_A_MINUTE) return;
    this.write(maskSecrets(`[${where}] ${inspect(error)}`).slice(0, MAX_LENGTH));
    if (minute.count === MAX_A_MINUTE)
      this.write(`[${origin}] Further faults are counted only, for a minute.`);
  }

  #findMinute(origin: string): Minute {
    const nowMs = this.clock.monotonicMs();
    const last = this.#minutes.get(origin);
    if (last && nowMs - last.sinceMs < MINUTE_MS) return last;
    if (last && last.count > MAX_A_MINUTE)
      this.write(`[${origin}] ${last.count - MAX_A_MINUTE} more faults were not written.`);
    if (this.#minutes.size >= MAX_ORIGINS) this.#minutes.clear();
    const minute = { sinceMs: nowMs, count: 0 };
    this.#minutes.set(origin, minute);
    return minute;
  }
}
