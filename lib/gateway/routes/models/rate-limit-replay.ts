import { editLimits } from "@/lib/contract/calls/edit-limits";
import { rateLimitFields } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import type { LimitReplay, ReplayedChange } from "@/lib/contract/operations/models/rate-limit-replay";
import { type AuthenticationContext, findCallerByKeyId } from "../../access/authenticate";
import type { Caller } from "../../access/caller";
import { type LimitChangeContext, planChanges } from "../../rate-limits/limit-changes";
import type { LimitReplayer, ReplayAnswer } from "../../rate-limits/replay/replay-limits";
import { findDifference, type PairReplay } from "../../rate-limits/replay/replay-pair";
import { invalid } from "../../refusal";
import { toUnixSeconds } from "../../unix-seconds";
import type { Handlers } from "../handler";

interface Context extends LimitChangeContext, AuthenticationContext {
  readonly limitReplayer: LimitReplayer;
  readonly runtime: LimitChangeContext["runtime"];
}

const MAX_KEYS = 50;

export function rateLimitReplayRoutes(context: Context): Handlers<"replayRateLimits"> {
  return {
    replayRateLimits: async ({ body: { changes, days }, caller }) => {
      // What others have saved since doesn't matter to a question.
      const drafts = changes.map((draft) => ({ ...draft, version: undefined }));
      const planned = await planChanges(context, caller, drafts);
      const toMs = context.runtime.clock.nowMs();
      const span = { fromMs: toMs - days * DAY_MS, toMs };
      const pairs = planned.map(({ project, model, edit, own }) => ({
        projectId: project.id,
        model: model.id,
        limits: { ...model.defaultRateLimits, ...editLimits(own, edit) },
        fields: rateLimitFields.filter((field) => edit[field] !== undefined),
      }));
      const answer = await context.limitReplayer.replay({ pairs, ...span });
      if (!answer)
        throw invalid("days", "These are more calls than can be replayed at once: choose fewer days.");
      return describeReplay(context, caller, span, answer);
    },
  };
}

function describeReplay(
  context: Context,
  caller: Caller,
  { fromMs, toMs }: { fromMs: number; toMs: number },
  { pairs, refusals, refusalsWithoutTime }: ReplayAnswer,
): LimitReplay {
  const [byHour, byKey]: [PairReplay["byHour"], PairReplay["byKey"]] = [new Map(), new Map()];
  for (const pair of pairs) {
    addAll(byHour, pair.byHour);
    if (readsCalls(caller, pair.projectId)) addAll(byKey, pair.byKey);
  }
  const sum = (name: "calls" | "newlyRefused" | "newlyAdmitted" | "stillRefused") =>
    pairs.reduce((total, pair) => total + pair[name], 0);
  return {
    object: "rate_limits.replay",
    from: toUnixSeconds(fromMs),
    to: toUnixSeconds(toMs),
    calls: sum("calls"),
    newly_refused: sum("newlyRefused"),
    newly_let_through: sum("newlyAdmitted"),
    still_refused: sum("stillRefused"),
    histogram: describeHours(byHour, fromMs, toMs),
    keys: describeKeys(context, byKey),
    changes: pairs.map((pair) => describePair(context, caller, pair)),
    unknown: {
      refusals,
      refusals_without_time: refusalsWithoutTime,
      sentence: describeUnknown(refusals, refusalsWithoutTime),
    },
  };
}

function describePair(context: Context, caller: Caller, pair: ReplayAnswer["pairs"][number]): ReplayedChange {
  const isRead = readsCalls(caller, pair.projectId);
  return {
    project_id: pair.projectId,
    model: pair.model,
    calls: pair.calls,
    newly_refused: pair.newlyRefused,
    newly_let_through: pair.newlyAdmitted,
    still_refused: pair.stillRefused,
    spans: pair.spans.map(({ fromMs, toMs, calls }) => ({
      from: toUnixSeconds(fromMs),
      to: toUnixSeconds(toMs),
      calls,
    })),
    keys: isRead ? describeKeys(context, pair.byKey) : [],
    examples: isRead
      ? pair.examples.map(({ requestId, atMs, field }) => ({
          request_id: requestId,
          at: toUnixSeconds(atMs),
          refused_by: field,
        }))
      : [],
    least_values: { ...pair.leastValues },
  };
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
