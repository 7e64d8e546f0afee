import { type AttemptCause, findAttemptCause } from "@/lib/contract/calls/attempt-cause";
import { MINUTE_MS } from "@/lib/contract/durations";
import type { RequestAttempt } from "@/lib/contract/operations/calls/receipt-parts";
import type { ModelRoute } from "@/lib/contract/operations/models/models";
import { type Nano, toNano } from "@/lib/money/amount";
import { computeCharge, type PriceSnapshot } from "@/lib/money/charge";
import { atRoutePrice } from "../../models/model-entry";
import { type MeasuredOrder, orderRoutes } from "../../providers/routing/order-routes";
import { estimateQuantiles, findBucket, type Histogram } from "../usage/usage-tally";
import type { RoutedCall, RoutedCalls } from "./routed-calls.sql";

/** Times and failures of a route are taken from the same stretch of this length, where there are any. */
const STRETCH_MS = 15 * MINUTE_MS;
const MAX_SENT = 3;

/** The outcomes of calls, as they were or with other routes. */
export interface RoutedOutcome {
  readonly answered: number;
  readonly byFallback: number;
  readonly firstByteP95Ms: number | null;
  /** What the providers charge for the calls that are answered either way. */
  readonly cost: Nano;
}

/** Routes that are tried out. */
export interface RouteDraft {
  readonly routes: readonly ModelRoute[];
  /** Those that the model has. */
  readonly present: readonly ModelRoute[];
  /** The model's list price, at the rate 1. */
  readonly price: PriceSnapshot;
}

export interface RouteSimulation {
  /** From when on every call is replayed. */
  readonly sinceMs: number;
  readonly calls: number;
  readonly was: RoutedOutcome;
  readonly draft: RoutedOutcome;
  /** Calls that the draft sends to a route of which nothing is known: they count as answered there. */
  readonly unmeasured: number;
}

export interface RouteSimulator {
  /** Replays the calls of a model since a time with other routes. */
  simulateRoutes(model: string, fromMs: number, draft: RouteDraft): Promise<RouteSimulation>;
}

interface Sample {
  readonly cause: AttemptCause | null;
  /** Of an answered attempt: to its first byte. Of a failed one: to its end. */
  readonly ms: number;
}

/**
 * Replays calls with other routes, each at its own time: a route that the call has tried does what it did, and any
 * other does what it did for a call of the same quarter of an hour, or else for any.
 */
export function simulateRoutes({ sinceMs, calls }: RoutedCalls, draft: RouteDraft): RouteSimulation {
  const known = new Samples(calls);
  const [was, drafted] = [new Tally(), new Tally()];
  let unmeasured = 0;
  for (const call of calls) {
    was.add({
      isAnswered: call.isAnswered,
      isByFallback: new Set(call.attempts.map(nameRoute)).size > 1,
      ms: call.firstByteMs,
    });
    const way = replay(call, draft, known);
    drafted.add(way);
    if (way.isUnmeasured) unmeasured++;
    const last = call.attempts.at(-1);
    if (!call.usage || !way.route || !last) continue;
    was.cost += computeCharge(call.usage, priceAt(draft, findLike(draft.present, last)));
    drafted.cost += computeCharge(call.usage, priceAt(draft, way.route));
  }
  return { sinceMs, calls: calls.length, was: was.outcome, draft: drafted.outcome, unmeasured };
}

const priceAt = ({ price }: RouteDraft, route: ModelRoute | undefined) =>
  route ? atRoutePrice(price, route) : price;

/** The route to the same model of the same provider; undefined for one that the model no longer has. */
const findLike = (routes: readonly ModelRoute[], attempt: RequestAttempt) =>
  routes.find((route) => nameRoute(route) === nameRoute(attempt));

interface Way {
  /** That answers it. */
  readonly route?: ModelRoute;
  readonly isAnswered: boolean;
  readonly isByFallback: boolean;
  readonly ms: number | null;
  readonly isUnmeasured?: boolean;
}

function replay(call: RoutedCall, draft: RouteDraft, known: Samples): Way {
  const draw = (route: ModelRoute) => drawFor(call.id, nameRoute(route));
  const measure = (route: ModelRoute, order: MeasuredOrder) =>
    order === "latency"
      ? known.medianMs(call, route)
      : Number(call.usage ? computeCharge(call.usage, priceAt(draft, route)) : 0n);
  let [elapsedMs, sent, tried] = [0, 0, 0];
  const unreachable = new Set<string>();
  for (const route of orderRoutes(draft.routes, { nowMs: call.atMs, draw, measure })) {
    if (unreachable.has(route.provider)) continue;
    tried++;
    const sample = known.find(call, route);
    const isByFallback = tried > 1;
    if (!sample) return { isAnswered: true, isByFallback, ms: null, isUnmeasured: true, route };
    elapsedMs += sample.ms;
    if (sample.cause === null) return { isAnswered: true, isByFallback, ms: elapsedMs, route };
    if (sample.cause === "request_refused" || sample.cause === "broken_answer") break;
    if (sample.cause === "no_connection" || sample.cause === "empty_account") unreachable.add(route.provider);
    if (sample.cause !== "no_connection") sent++;
    if (sent === MAX_SENT) break;
  }
  return { isAnswered: false, isByFallback: false, ms: null };
}

/** What each route did, for which calls and when. */
class Samples {
  readonly #byCall = new Map<string, Sample>();
  readonly #byStretch = new Map<string, Sample[]>();
  readonly #byRoute = new Map<string, Sample[]>();
  readonly #medians = new Map<string, number | null>();

  constructor(calls: readonly RoutedCall[]) {
    for (const call of calls)
      for (const attempt of call.attempts) {
        const [name, sample] = [nameRoute(attempt), toSample(call, attempt)];
        this.#byCall.set(`${call.id}\n${name}`, sample);
        push(this.#byStretch, nameStretch(call, name), sample);
        push(this.#byRoute, name, sample);
      }
  }

  /** Of the answers of a route in the stretch of a call. */
  medianMs(call: RoutedCall, route: ModelRoute): number | null {
    const name = nameStretch(call, nameRoute(route));
    let median = this.#medians.get(name);
    if (median === undefined) {
      median = findMedian(this.#byStretch.get(name) ?? []);
      this.#medians.set(name, median);
    }
    return median;
  }

  find(call: RoutedCall, route: ModelRoute): Sample | undefined {
    const name = nameRoute(route);
    const own = this.#byCall.get(`${call.id}\n${name}`);
    if (own) return own;
    const samples = this.#byStretch.get(nameStretch(call, name)) ?? this.#byRoute.get(name) ?? [];
    return samples[Math.floor(drawFor(call.id, `sample ${name}`) * samples.length)];
  }
}

function findMedian(samples: readonly Sample[]): number | null {
  const times = samples.filter(({ cause }) => cause === null).map(({ ms }) => ms);
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)] ?? null;
}

function push(lists: Map<string, Sample[]>, name: string, sample: Sample): void {
  const list = lists.get(name);
  if (list) list.push(sample);
  else lists.set(name, [sample]);
}

function toSample(call: RoutedCall, attempt: RequestAttempt): Sample {
  const cause = findAttemptCause(attempt);
  const endMs = cause === null ? call.firstByteMs : (attempt.ended_ms ?? call.durationMs);
  return { cause, ms: Math.max(0, (endMs ?? attempt.started_ms) - attempt.started_ms) };
}

const nameRoute = ({ provider, model }: Pick<ModelRoute, "provider" | "model">) => `${provider}\n${model}`;
const nameStretch = ({ atMs }: RoutedCall, name: string) => `${Math.floor(atMs / STRETCH_MS)}\n${name}`;

/** A number between 0 and 1 that is always the same for a call and a purpose, so that a repeat tells the same. */
const drawFor = (id: string, purpose: string) =>
  (Number(BigInt(Bun.hash(`${id}\n${purpose}`)) & 0xffffffffn) + 0.5) / 2 ** 32;

class Tally {
  #answered = 0;
  #byFallback = 0;
  cost = 0n;
  readonly #firstBytes: Histogram = new Map();

  add({ isAnswered, isByFallback, ms }: Way): void {
    if (!isAnswered) return;
    this.#answered++;
    if (isByFallback) this.#byFallback++;
    if (ms === null) return;
    const bucket = findBucket(ms);
    this.#firstBytes.set(bucket, (this.#firstBytes.get(bucket) ?? 0) + 1);
  }

  get outcome(): RoutedOutcome {
    const [firstByteP95Ms = null] = estimateQuantiles(this.#firstBytes, [0.95]);
    return {
      answered: this.#answered,
      byFallback: this.#byFallback,
      firstByteP95Ms,
      cost: toNano(this.cost),
    };
  }
}
