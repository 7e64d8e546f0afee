import {
  type RateLimitField,
  type RateLimitValues,
  rateLimitTable,
} from "@/lib/contract/calls/rate-limit-table";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { type Demand, ProjectModelWindows } from "../project-model-windows";

/** Slots of every window begin at the multiples of the widest one. */
const WIDEST_SLOT_MS = 512_000;
/** Refusals with less than this between them are one span. */
const SPAN_GAP_MS = 15 * MINUTE_MS;
const MAX_SPANS = 20;
export const MAX_EXAMPLES = 5;

interface ReplaySpan {
  readonly fromMs: number;
  toMs: number;
  calls: number;
}

/** The calls of one hour, or of one key, that the limits would have decided otherwise. */
interface Difference {
  newlyRefused: number;
  newlyAdmitted: number;
}

/** A call that would have been refused, and by which limit. */
interface RefusedExample {
  readonly requestId: string;
  readonly atMs: number;
  readonly field: RateLimitField;
}

/** What other limits would have done to the calls of a project and model. */
export interface PairReplay extends Difference {
  readonly calls: number;
  /** Refused in the log by a limit and again with these limits. */
  stillRefused: number;
  readonly byHour: Map<number, Difference>;
  readonly byKey: Map<string, Difference>;
  readonly spans: ReplaySpan[];
  readonly examples: RefusedExample[];
}

/** A replay under way. Give it the calls in the order in which they came. */
class PairWindows {
  readonly #windows = new ProjectModelWindows();
  readonly #ends = new EndQueue();
  readonly #originMs: number;
  /** The highest use of each limit with the call that asked, or after a call that used more than its estimate. */
  readonly peaks = new Map<RateLimitField, number>();

  constructor(
    private readonly limits: RateLimitValues,
    firstMs: number,
    /** The limit whose highest use is noted. */
    private readonly watched: RateLimitField | null = null,
  ) {
    this.#originMs = (Math.floor(firstMs / WIDEST_SLOT_MS) - 1) * WIDEST_SLOT_MS;
  }

  /** Decides about a call as admission does, and takes what it needs. @returns the limit that refuses it, or null. */
  admit(arrival: Arrival): RateLimitField | null {
    this.#endUntil(arrival.atMs);
    const demand = measureDemand(arrival);
    const nowMs = arrival.atMs - this.#originMs;
    const breach = this.#windows.findBreach(this.limits, demand, nowMs);
    if (breach) return breach.field;
    this.#take(arrival, demand, nowMs);
    return null;
  }

  /** Counts a call of before the replay, which was let through whatever the limits were. */
  count(arrival: Arrival): void {
    this.#endUntil(arrival.atMs);
    this.#take(arrival, measureDemand(arrival), arrival.atMs - this.#originMs);
  }

  #take(arrival: Arrival, demand: Demand, nowMs: number): void {
    this.#windows.take(demand, nowMs);
    if (arrival.endMs !== null) this.#ends.add(arrival);
    this.#notePeak(nowMs);
  }

  #endUntil(untilMs: number): void {
    for (let ended = this.#ends.takeEnded(untilMs); ended; ended = this.#ends.takeEnded(untilMs)) {
      const takenAtMs = ended.atMs - this.#originMs;
      const nowMs = (ended.endMs ?? untilMs) - this.#originMs;
      const tokens = { estimated: ended.estimated, counted: ended.counted };
      if (!ended.isSent) this.#windows.refund({ requests: 1 }, takenAtMs);
      this.#windows.correctTokens(tokens, this.limits, { takenAtMs, nowMs });
      this.#notePeak(nowMs);
    }
  }

  #notePeak(nowMs: number): void {
    if (!this.watched) return;
    const used = this.#windows.used(this.watched, nowMs);
    if (used > (this.peaks.get(this.watched) ?? 0)) this.peaks.set(this.watched, used);
  }
}

function measureDemand({ estimated, batchTokens }: Arrival): Demand {
  return { requests: 1, tokens: estimated, batchInputTokens: batchTokens };
}

/** Replays are interrupted after so many calls, a few milliseconds, so that others are served. */
export const REPLAYED_AT_ONCE = 10_000;

interface ReplayOptions {
  /** Sorted by time; those before `sinceMs` only fill the windows. */
  readonly arrivals: readonly Arrival[];
  readonly sinceMs: number;
  readonly limits: RateLimitValues;
  readonly pause: () => Promise<void>;
}

/** What limits would have done to past calls, decided by the windows that decide about every call. */
export async function replayPair(options: ReplayOptions): Promise<PairReplay> {
  const replay: PairReplay = {
    calls: 0,
    newlyRefused: 0,
    newlyAdmitted: 0,
    stillRefused: 0,
    byHour: new Map(),
    byKey: new Map(),
    spans: [],
    examples: [],
  };
  let calls = 0;
  await walk(options, null, (arrival, field) => {
    calls++;
    if (field !== null && arrival.wasRefused) replay.stillRefused++;
    if ((field !== null) !== arrival.wasRefused) note(replay, arrival, field);
  });
  return { ...replay, calls, spans: keepLargest(replay.spans) };
}

/** The least value of a limit, beside the others, that refuses none of these calls. */
export async function findLeastValue(options: ReplayOptions, field: RateLimitField): Promise<number> {
  // Without this limit each call is let through that the others admit: its highest use is what it must hold.
  const none = rateLimitTable[field].removable ? null : Number.MAX_SAFE_INTEGER;
  const windows = await walk({ ...options, limits: { ...options.limits, [field]: none } }, field, () => {});
  return windows.peaks.get(field) ?? 0;
}

async function walk(
  { arrivals, sinceMs, limits, pause }: ReplayOptions,
  watched: RateLimitField | null,
  see: (arrival: Arrival, refusedBy: RateLimitField | null) => void,
): Promise<PairWindows> {
  const windows = new PairWindows(limits, arrivals[0]?.atMs ?? 0, watched);
  let steps = 0;
  for (const arrival of arrivals) {
    if (++steps % REPLAYED_AT_ONCE === 0) await pause();
    if (arrival.atMs < sinceMs) {
      if (!arrival.wasRefused) windows.count(arrival);
      continue;
    }
    for (let time = 0; time < arrival.times; time++) see(arrival, windows.admit(arrival));
  }
  return windows;
}

function note(replay: PairReplay, arrival: Arrival, field: RateLimitField | null): void {
  const name = field === null ? "newlyAdmitted" : "newlyRefused";
  const hourMs = arrival.atMs - (arrival.atMs % HOUR_MS);
  replay[name]++;
  findDifference(replay.byHour, hourMs)[name]++;
  findDifference(replay.byKey, arrival.keyId)[name]++;
  if (field === null) return;
  const span = replay.spans.at(-1);
  if (span && arrival.atMs - span.toMs <= SPAN_GAP_MS) {
    span.toMs = arrival.atMs;
    span.calls++;
  } else replay.spans.push({ fromMs: arrival.atMs, toMs: arrival.atMs, calls: 1 });
  const { requestId, atMs } = arrival;
  if (requestId !== null && replay.examples.length < MAX_EXAMPLES)
    replay.examples.push({ requestId, atMs, field });
}

export function findDifference<Key>(differences: Map<Key, Difference>, key: Key): Difference {
  const known = differences.get(key);
  if (known) return known;
  const made = { newlyRefused: 0, newlyAdmitted: 0 };
  differences.set(key, made);
  return made;
}

/** The spans with the most calls, in the order of time. */
export function keepLargest(spans: readonly ReplaySpan[]): ReplaySpan[] {
  const largest = spans.toSorted((one, other) => other.calls - one.calls).slice(0, MAX_SPANS);
  return largest.toSorted((one, other) => one.fromMs - other.fromMs);
}

/** A past call, or a group of refused ones of which one was stored. Times are Unix milliseconds. */
export interface Arrival {
  readonly atMs: number;
  /** When it ended, and its tokens were known; null where it hasn't, or was refused. */
  readonly endMs: number | null;
  /** The tokens that it took at admission. */
  readonly estimated: number;
  /** The tokens that counted in the end. */
  readonly counted: number;
  /** Whether it still counts as a request in the end: one that wasn't sent to a provider doesn't. */
  readonly isSent: boolean;
  readonly batchTokens: number;
  readonly wasRefused: boolean;
  /** How many calls it stands for. */
  readonly times: number;
  readonly keyId: string;
  /** The id of its receipt; null where none is stored. */
  readonly requestId: string | null;
}

/** Arrivals by the time at which they end. */
class EndQueue {
  readonly #heap: Arrival[] = [];

  add(arrival: Arrival): void {
    const heap = this.#heap;
    heap.push(arrival);
    for (let at = heap.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfLater(parent, at)) return;
      at = parent;
    }
  }

  /** Removes and returns the next item that ends by then; undefined if there is none. */
  takeEnded(untilMs: number): Arrival | undefined {
    const heap = this.#heap;
    const [first] = heap;
    if (!first || (first.endMs ?? 0) > untilMs) return undefined;
    const last = heap.pop();
    if (last && heap.length > 0) {
      heap[0] = last;
      this.#sink();
    }
    return first;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      if (left >= this.#heap.length) return;
      const child = right < this.#heap.length && this.#endOf(right) < this.#endOf(left) ? right : left;
      if (!this.#swapIfLater(at, child)) return;
      at = child;
    }
  }

  #endOf(at: number): number {
    return this.#heap[at]?.endMs ?? 0;
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [one, other] = [this.#heap[parent], this.#heap[child]];
    if (!one || !other || (one.endMs ?? 0) <= (other.endMs ?? 0)) return false;
    this.#heap[parent] = other;
    this.#heap[child] = one;
    return true;
  }
}
