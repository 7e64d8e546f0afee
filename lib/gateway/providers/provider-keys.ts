import { MINUTE_MS } from "@/lib/contract/durations";
import type { Clock } from "../clock";
import type { ProviderClient } from "./provider-client";
import { findMisconfiguredStatus, ProviderRefusal } from "./provider-failure";

/** How long a key that the provider refuses gets no calls while there are others. */
const REFUSED_MS = MINUTE_MS;

/** A key as calls use it. A provider without keys has one without a secret. */
export interface UsedKey {
  readonly id: string;
  /** "…" and its last four characters; null for none. */
  readonly hint: string | null;
  /** Shows the key to the provider. */
  readonly client: ProviderClient;
}

interface Rest {
  readonly key: UsedKey;
  /** The model's name at the provider. */
  readonly model: string;
  readonly untilMs: number;
  readonly status: number;
}

/**
 * The keys of one provider, which share its calls, and how long each is left alone, by the model's name there, after a
 * 429 or a refusal. In memory, separately in each process.
 */
export class ProviderKeys {
  #turn = 0;
  /** A rest ends once: a later one of the same key and model replaces it. */
  #rests: Rest[] = [];

  constructor(
    private readonly keys: readonly [UsedKey, ...UsedKey[]],
    private readonly clock: Pick<Clock, "monotonicMs">,
  ) {}

  get first(): UsedKey {
    return this.keys[0];
  }

  get areSeveral(): boolean {
    return this.keys.length > 1;
  }

  /**
   * The key of a call: in turn, or always the same for a session while it doesn't rest. Where all rest, the one whose
   * rest ends first.
   */
  choose(model: string, session: bigint | null = null): UsedKey {
    const { length } = this.keys;
    if (length === 1) return this.keys[0];
    const from = session === null ? this.#turn++ % length : Number(session % BigInt(length));
    let chosen = this.keys[0];
    let leastMs = Number.POSITIVE_INFINITY;
    for (let step = 0; step < length && leastMs > 0; step++) {
      const key = this.keys[(from + step) % length] ?? this.keys[0];
      const leftMs = this.#leftMs(key, model);
      if (leftMs < leastMs) [chosen, leastMs] = [key, leftMs];
    }
    return chosen;
  }

  /** How long until a key may be used for the model, in milliseconds; 0 where one may be now. */
  leftMs(model: string): number {
    if (this.#rests.length === 0) return 0;
    return Math.min(...this.keys.map((key) => this.#leftMs(key, model)));
  }

  /** Lets a key rest as long as a provider's refusal asks for. A rest ends no earlier than one before. */
  noteRefusal(key: UsedKey, model: string, refusal: unknown): void {
    if (!(refusal instanceof ProviderRefusal)) return;
    const isRefused = this.areSeveral && isRefusedKey(refusal);
    const ms = isRefused ? REFUSED_MS : refusal.restMs;
    if (ms) this.rest(key, model, { ms, status: refusal.upstreamStatus ?? refusal.status });
  }

  rest(key: UsedKey, model: string, { ms, status }: { readonly ms: number; readonly status: number }): void {
    const now = this.clock.monotonicMs();
    const untilMs = Math.max(now + ms, now + this.#leftMs(key, model));
    const others = this.#rests.filter(
      (rest) => rest.untilMs > now && (rest.key !== key || rest.model !== model),
    );
    this.#rests = [...others, { key, model, untilMs, status }];
  }

  /** The keys that rest now. */
  listRests(): readonly (Omit<Rest, "untilMs"> & { readonly leftMs: number })[] {
    const now = this.clock.monotonicMs();
    return this.#rests
      .filter(({ untilMs }) => untilMs > now)
      .map(({ untilMs, ...rest }) => ({ ...rest, leftMs: untilMs - now }));
  }

  #leftMs(key: UsedKey, model: string): number {
    const rest = this.#rests.find((one) => one.key === key && one.model === model);
    return rest ? Math.max(0, rest.untilMs - this.clock.monotonicMs()) : 0;
  }
}

/** Whether another key of the provider may be taken where this one is at its limit, unknown or without credit. */
export function isKeysFailure(failure: unknown): boolean {
  return failure instanceof ProviderRefusal && (failure.why === "rate_limited" || isRefusedKey(failure));
}

function isRefusedKey(refusal: ProviderRefusal): boolean {
  const status = findMisconfiguredStatus(refusal);
  return status !== null && status !== 404;
}

/** The last four characters of a key, or of its id where it has one before its secret; fewer of a short one. */
export function hintAtKey(key: string): string {
  const [shown = ""] = key.split(":");
  return `…${shown.slice(shown.length - Math.min(4, Math.floor(shown.length / 4)))}`;
}
