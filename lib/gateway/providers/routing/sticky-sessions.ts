import { HOUR_MS } from "@/lib/contract/durations";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import type { Clock } from "../../clock";

const MAX_SESSIONS = 10_000;

interface Stay {
  readonly provider: string;
  readonly model: string;
  readonly untilMs: number;
}

/**
 * Which route answered each session last, so that it finds its prompt cached there: for an hour after its last call,
 * and the latest sessions only. In memory, separately in each process.
 */
export class StickySessions {
  /** In the order of their last calls. */
  readonly #stays = new Map<bigint, Stay>();

  constructor(private readonly clock: Pick<Clock, "monotonicMs">) {}

  /** The route of these that answered the session last; undefined if there is none. */
  find(session: bigint, routes: readonly ModelRoute[]): ModelRoute | undefined {
    const stay = this.#stays.get(session);
    if (!stay || stay.untilMs <= this.clock.monotonicMs()) return undefined;
    return routes.find(({ provider, model }) => provider === stay.provider && model === stay.model);
  }

  note(session: bigint, { provider, model }: ModelRoute): void {
    this.#stays.delete(session);
    this.#stays.set(session, { provider, model, untilMs: this.clock.monotonicMs() + HOUR_MS });
    if (this.#stays.size <= MAX_SESSIONS) return;
    for (const oldest of this.#stays.keys()) {
      this.#stays.delete(oldest);
      break;
    }
  }
}
