import * as z from "zod/mini";
import { mapLimits } from "../../calls/rate-limit-table";
import { defineOperations } from "../../operation";
import { unixSeconds } from "../../schema";
import { draftApproval } from "./rate-limit-approvals";
import { changesBounds, draftedChanges, limitTarget } from "./rate-limit-changes";
import { limitField } from "./rate-limits";

const count = z.int().check(z.minimum(0));

/** Calls that the drafted limits would have decided otherwise. */
const difference = { newly_refused: count, newly_let_through: count };

/** Of a key or a member's own calls. `key_name` is null for one that was removed. */
const keyDifference = z.object({ key_id: z.string(), key_name: z.nullable(z.string()), ...difference });

const replayedChange = z.object({
  ...limitTarget,
  /** How many projects and models it changes: those of a plan or default that set the limit by hand stay. */
  pairs: count,
  /** Their calls that a limit let through or refused. */
  calls: count,
  ...difference,
  /** Refused then, and again by the drafted limits. */
  still_refused: count,
  /** When calls would have been newly refused: the 20 spans with the most of them. */
  spans: z.array(z.object({ from: unixSeconds, to: unixSeconds, calls: count })),
  /** Empty without api.requests.read in the project. */
  keys: z.array(keyDifference),
  /** The first calls that would have been refused, with their receipts; empty without api.requests.read. */
  examples: z.array(z.object({ request_id: z.string(), at: unixSeconds, refused_by: limitField })),
  /**
   * For each drafted limit that is a number: the least one that, beside the others, would have refused none of these
   * calls. Empty if the draft refuses none.
   */
  least_values: z.partial(z.object(mapLimits(() => count))),
});
export type ReplayedChange = z.output<typeof replayedChange>;

const replay = z.object({
  object: z.literal("rate_limits.replay"),
  from: unixSeconds,
  to: unixSeconds,
  calls: count,
  ...difference,
  still_refused: count,
  /** Each hour from the first to the last. */
  histogram: z.array(z.object({ start_time: unixSeconds, ...difference })),
  /** The 50 that differ most, of the projects in which the caller may read requests. */
  keys: z.array(keyDifference),
  /** In the order of the draft. */
  changes: z.array(replayedChange),
  /** What of the draft needs a second person, and whether one has approved it. */
  approval: draftApproval,
  /** What a replay can't know, with its size, and in a sentence. */
  unknown: z.object({
    /** Refused calls: what they would have used, and whether they would have been tried again, isn't known. */
    refusals: count,
    /** Of these, the ones that were counted without their time. They are left out. */
    refusals_without_time: count,
    sentence: z.string(),
  }),
});
export type LimitReplay = z.output<typeof replay>;

const progressId = z.string().check(z.regex(/^[\w-]{8,64}$/, "must be 8 to 64 letters, digits, _ or -"));

export const limitReplayRequest = z.strictObject({
  changes: draftedChanges,
  /** How many days of traffic, up to now. */
  days: z.int().check(z.minimum(1), z.maximum(30)),
  /** Any name of the caller's own, by which to ask how far it has come. */
  progress_id: z.optional(progressId),
});

export const rateLimitReplayOperations = defineOperations(
  { surface: "v1 and origin", scope: "any project" },
  {
    replayRateLimits: {
      method: "POST",
      effect: "acts",
      path: "/organization/rate_limits/replay",
      permission: "api.rate_limits.write",
      summary:
        "Says what drafted limits would have done to the calls of the last days, decided by the code that decides about every call. Changes nothing.",
      body: limitReplayRequest,
      bodyBounds: changesBounds,
      reply: replay,
    },
    retrieveReplayProgress: {
      method: "GET",
      path: "/organization/rate_limits/replay",
      permission: "api.rate_limits.write",
      summary: "Returns how far the caller's own replay has come, in percent, in the gateway that answers.",
      query: z.strictObject({ progress_id: progressId }),
      reply: z.object({
        object: z.literal("rate_limits.replay_progress"),
        /** Null if no replay of this name is under way. */
        percent: z.nullable(z.int()),
      }),
    },
  },
);
