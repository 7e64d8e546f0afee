import { type AttemptCause, attemptCauses, findAttemptCause } from "@/lib/contract/calls/attempt-cause";
import type { RequestAttempt } from "@/lib/contract/operations/calls/receipt-parts";
import { estimateQuantiles, findBucket, type Histogram } from "../usage/usage-tally";
import type { RoutedCall, RoutedCalls } from "./routed-calls.sql";

const RECENT_CALLS = 20;

/** How the calls of a model went, by route. */
export interface RouteActivity {
  /** From when on every call is counted. */
  readonly sinceMs: number;
  readonly calls: number;
  readonly answered: number;
  /** Of those that were answered: by another route than the first that was tried. */
  readonly byFallback: number;
  readonly routes: readonly RouteCounts[];
  readonly causes: readonly { readonly cause: AttemptCause; readonly attempts: number }[];
  /** Newest first. */
  readonly recent: readonly RoutedCall[];
}

interface RouteCounts {
  readonly provider: string;
  readonly model: string;
  readonly attempts: number;
  readonly errors: number;
  /** The time to the first byte of answered calls, from when they were sent on this route. */
  readonly firstByteP50Ms: number | null;
  readonly firstByteP95Ms: number | null;
}

export interface RouteActivityReader {
  /** The calls of a model since a time. */
  routeActivity(model: string, fromMs: number): Promise<RouteActivity>;
}

export function describeRoutes({ sinceMs, calls }: RoutedCalls): RouteActivity {
  const tallies = new Map<string, { attempts: number; errors: number; firstBytes: Histogram }>();
  const causes = new Map<AttemptCause, number>();
  for (const call of calls)
    for (const attempt of call.attempts) {
      const name = nameRoute(attempt);
      const tally = tallies.get(name) ?? { attempts: 0, errors: 0, firstBytes: new Map() };
      tallies.set(name, tally);
      tally.attempts++;
      const cause = findAttemptCause(attempt);
      if (cause) {
        causes.set(cause, (causes.get(cause) ?? 0) + 1);
        // A request that is refused by everybody is no fault of the route.
        if (cause !== "request_refused") tally.errors++;
      } else if (call.firstByteMs !== null)
        count(tally.firstBytes, call.firstByteMs - (attempt.sent_ms ?? 0));
    }
  const answered = calls.filter(({ isAnswered }) => isAnswered);
  return {
    sinceMs,
    calls: calls.length,
    answered: answered.length,
    byFallback: answered.filter(isByFallback).length,
    routes: [...tallies].map(([name, tally]) => toCounts(name, tally)),
    causes: attemptCauses.flatMap((cause) => {
      const attempts = causes.get(cause);
      return attempts ? [{ cause, attempts }] : [];
    }),
    recent: calls.slice(0, RECENT_CALLS),
  };
}

function isByFallback({ attempts }: Pick<RoutedCall, "attempts">): boolean {
  const [first, last] = [attempts[0], attempts.at(-1)];
  return first !== undefined && last !== undefined && nameRoute(first) !== nameRoute(last);
}

/** A provider's id has no line breaks. */
const nameRoute = ({ provider, model }: Pick<RequestAttempt, "provider" | "model">) =>
  `${provider}\n${model}`;

function toCounts(
  name: string,
  { firstBytes, ...counts }: { attempts: number; errors: number; firstBytes: Histogram },
): RouteCounts {
  const [provider = "", model = ""] = name.split("\n");
  const [firstByteP50Ms = null, firstByteP95Ms = null] = estimateQuantiles(firstBytes, [0.5, 0.95]);
  return { provider, model, ...counts, firstByteP50Ms, firstByteP95Ms };
}

function count(histogram: Histogram, ms: number): void {
  const bucket = findBucket(ms);
  histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1);
}
