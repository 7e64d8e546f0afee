import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { LimitReplay, ReplayedChange } from "@/lib/contract/operations/models/rate-limit-replay";
import { type AuthenticationContext, findCallerByKeyId } from "../../access/authenticate";
import { type Caller, toKeyCreator } from "../../access/caller";
import { toUnixSeconds } from "../../clock";
import { digestChanges, findAbove, type LimitApprovalContext } from "../../rate-limits/limit-approvals";
import type { LimitPlace } from "../../rate-limits/limit-change-store.sql";
import type { LimitChangeContext } from "../../rate-limits/limit-changes";
import { nameOf, type PlannedChange, placeOf, planChanges } from "../../rate-limits/plan-limit-changes";
import { type AffectedPair, listAffectedPairs } from "../../rate-limits/replay/drafted-limits";
import type { LimitReplayer, ReplayAnswer } from "../../rate-limits/replay/replay-limits";
import {
  findDifference,
  keepLargest,
  MAX_EXAMPLES,
  type PairReplay,
} from "../../rate-limits/replay/replay-pair";
import { invalid } from "../../refusal";
import type { Handlers } from "../handler";
import { summarizeDraft } from "./rate-limits";

interface Context extends LimitChangeContext, LimitApprovalContext, AuthenticationContext {
  readonly catalogue: LimitChangeContext["catalogue"];
  readonly graph: AuthenticationContext["graph"];
  readonly limitApprovals: LimitChangeContext["limitApprovals"];
  readonly limitReplayer: LimitReplayer;
  readonly runtime: LimitChangeContext["runtime"];
}

const MAX_KEYS = 50;

export function rateLimitReplayRoutes(
  context: Context,
): Handlers<"replayRateLimits" | "retrieveReplayProgress"> {
  /** How much is done of replays that their callers have named. */
  const shares = new Map<string, number>();
  const nameReplay = (caller: Caller, id: string) => `${caller.id} ${id}`;
  return {
    retrieveReplayProgress: async ({ query, caller }) => {
      const share = shares.get(nameReplay(caller, query.progress_id));
      return {
        object: "rate_limits.replay_progress",
        percent: share === undefined ? null : Math.floor(share * 100),
      };
    },
    replayRateLimits: async ({ body: { changes, days, progress_id: progressId }, caller, signal }) => {
      // What others have saved since doesn't matter to a question.
      const drafts = changes.map((draft) => ({ ...draft, version: undefined }));
      const planned = await planChanges(context, caller, drafts);
      const toMs = context.runtime.clock.nowMs();
      const span = { fromMs: toMs - days * DAY_MS, toMs };
      const affected = await listAffectedPairs(context, planned);
      const pairs = affected.map(({ pair }) => pair);
      const name = progressId === undefined ? null : nameReplay(caller, progressId);
      const report = (share: number) => name !== null && shares.set(name, share);
      report(0);
      const answer = await context.limitReplayer
        .replay({ pairs, ...span }, signal, report)
        .finally(() => name !== null && shares.delete(name));
      if (!answer)
        throw invalid("days", "These are more calls than can be replayed at once: choose fewer days.");
      const replayed = joinReplays(planned, affected, answer.pairs);
      const approval = await describeApproval(context, caller, planned);
      return { ...describeReplay(context, caller, span, { ...answer, changes: replayed }), approval };
    },
  };
}

async function describeApproval(context: Context, caller: Caller, planned: readonly PlannedChange[]) {
  const bounds = await context.limitApprovals.bounds();
  const needed = findAbove(context, bounds, planned).map(({ field, ...place }) => ({
    ...nameOf(place),
    field,
    above: bounds[field] ?? 0,
  }));
  const asked =
    needed.length === 0
      ? null
      : await context.limitApprovals.findLast(toKeyCreator(caller).id, digestChanges(planned));
  return { needed, draft: asked && (await summarizeDraft(context, caller, asked)) };
}

interface ReplayedPlace {
  readonly place: LimitPlace;
  readonly pairs: ReplayAnswer["pairs"];
}

/** What each change would have done to the pairs that it changes, in the order of the draft. */
function joinReplays(
  planned: readonly PlannedChange[],
  affected: readonly AffectedPair[],
  replayed: ReplayAnswer["pairs"],
): ReplayedPlace[] {
  const byChange = planned.map(({ target }) => ({
    place: placeOf(target),
    pairs: [] as ReplayAnswer["pairs"][number][],
  }));
  for (const [index, pair] of replayed.entries()) byChange[affected[index]?.by ?? -1]?.pairs.push(pair);
  return byChange;
}

function describeReplay(
  context: Context,
  caller: Caller,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  { pairs, refusals, refusalsWithoutTime, changes }: ReplayAnswer & { changes: readonly ReplayedPlace[] },
): Omit<LimitReplay, "approval"> {
  const [byHour, byKey]: [PairReplay["byHour"], PairReplay["byKey"]] = [new Map(), new Map()];
  for (const pair of pairs) {
    addAll(byHour, pair.byHour);
    if (readsCalls(caller, pair.projectId)) addAll(byKey, pair.byKey);
  }
  return {
    object: "rate_limits.replay",
    from: toUnixSeconds(fromMs),
    to: toUnixSeconds(toMs),
    ...describeSums(pairs),
    histogram: describeHours(byHour, fromMs, toMs),
    keys: describeKeys(context, byKey),
    changes: changes.map((change) => describeChange(context, caller, change)),
    unknown: {
      refusals,
      refusals_without_time: refusalsWithoutTime,
      sentence: describeUnknown(refusals, refusalsWithoutTime),
    },
  };
}

function describeSums(pairs: ReplayAnswer["pairs"]) {
  const sum = (name: "calls" | "newlyRefused" | "newlyAdmitted" | "stillRefused") =>
    pairs.reduce((total, pair) => total + pair[name], 0);
  return {
    calls: sum("calls"),
    newly_refused: sum("newlyRefused"),
    newly_let_through: sum("newlyAdmitted"),
    still_refused: sum("stillRefused"),
  };
}

function describeChange(context: Context, caller: Caller, { place, pairs }: ReplayedPlace): ReplayedChange {
  const readable = pairs.filter(({ projectId }) => readsCalls(caller, projectId));
  const byKey: PairReplay["byKey"] = new Map();
  for (const pair of readable) addAll(byKey, pair.byKey);
  const spans = keepLargest(pairs.flatMap((pair) => pair.spans));
  const examples = readable
    .flatMap((pair) => pair.examples)
    .toSorted((one, other) => one.atMs - other.atMs)
    .slice(0, MAX_EXAMPLES);
  return {
    ...nameOf(place),
    pairs: pairs.length,
    ...describeSums(pairs),
    spans: spans.map((span) => ({
      from: toUnixSeconds(span.fromMs),
      to: toUnixSeconds(span.toMs),
      calls: span.calls,
    })),
    keys: describeKeys(context, byKey),
    examples: examples.map(({ requestId, atMs, field }) => ({
      request_id: requestId,
      at: toUnixSeconds(atMs),
      refused_by: field,
    })),
    least_values: joinLeastValues(pairs),
  };
}

/** The highest counts: a lower limit that refuses nothing in one pair may refuse calls in another. */
function joinLeastValues(pairs: ReplayAnswer["pairs"]): ReplayedChange["least_values"] {
  const least: ReplayedChange["least_values"] = {};
  for (const { leastValues } of pairs)
    for (const field of rateLimitFields) {
      const value = leastValues[field];
      if (value !== undefined) least[field] = Math.max(value, least[field] ?? 0);
    }
  return least;
}

function readsCalls(caller: Caller, projectId: string): boolean {
  return caller.permissionsIn(projectId).has("api.requests.read");
}

function addAll<Key>(
  sums: Map<Key, { newlyRefused: number; newlyAdmitted: number }>,
  more: typeof sums,
): void {
  for (const [key, { newlyRefused, newlyAdmitted }] of more) {
    const sum = findDifference(sums, key);
    sum.newlyRefused += newlyRefused;
    sum.newlyAdmitted += newlyAdmitted;
  }
}

function describeHours(byHour: PairReplay["byHour"], fromMs: number, toMs: number): LimitReplay["histogram"] {
  const hours: LimitReplay["histogram"] = [];
  for (let hourMs = fromMs - (fromMs % HOUR_MS); hourMs < toMs; hourMs += HOUR_MS) {
    const { newlyRefused = 0, newlyAdmitted = 0 } = byHour.get(hourMs) ?? {};
    hours.push({
      start_time: toUnixSeconds(hourMs),
      newly_refused: newlyRefused,
      newly_let_through: newlyAdmitted,
    });
  }
  return hours;
}

function describeKeys(context: Context, byKey: PairReplay["byKey"]): LimitReplay["keys"] {
  const size = ({ newlyRefused, newlyAdmitted }: { newlyRefused: number; newlyAdmitted: number }) =>
    newlyRefused + newlyAdmitted;
  return [...byKey]
    .toSorted(([, one], [, other]) => size(other) - size(one))
    .slice(0, MAX_KEYS)
    .map(([id, { newlyRefused, newlyAdmitted }]) => ({
      key_id: id,
      key_name: findCallerByKeyId(context, id)?.name ?? null,
      newly_refused: newlyRefused,
      newly_let_through: newlyAdmitted,
    }));
}

function describeUnknown(refusals: number, withoutTime: number): string {
  if (refusals === 0)
    return "No call was refused by these limits, so every call is replayed with what it used.";
  const counted = `${refusals} ${refusals === 1 ? "call was" : "calls were"} refused by these limits: what they would have used is estimated, and whether they were retries isn’t known`;
  if (withoutTime === 0) return `${counted}.`;
  return `${counted}; ${withoutTime} of them were counted without their time and are left out.`;
}
