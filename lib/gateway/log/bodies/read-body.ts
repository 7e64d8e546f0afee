import { otherEvents } from "@/lib/contract/access/audit-events";
import { DAY_MS } from "@/lib/contract/durations";
import type { ReceiptBody } from "@/lib/contract/operations/calls/request-bodies";
import { type ChangeContext, type ChangeRequest, change, withEventType } from "../../changes/change";
import { Refusal } from "../../refusal";
import type { RequestRecord } from "../requests/request-record";
import type { BodySettings, BodySettingsCache } from "./body-settings.sql";
import type { StoredBodyReader } from "./stored-bodies.sql";
import type { StoredBody, StoredTexts } from "./stored-body";

/** How much of a call's body is stored, and why no more. */
export interface BodyState {
  readonly state: ReceiptBody["state"];
  /** When it will be deleted; null where nothing is stored. */
  readonly untilMs: number | null;
  readonly metadata: StoredBody["metadata"] | null;
}

interface StateContext {
  readonly bodySettingsCache: Pick<BodySettingsCache, "find">;
  readonly bodyQueue: { isWaiting(requestId: string): boolean };
  readonly storedBodies: Pick<StoredBodyReader, "findMetadata">;
}

export async function readBodyState(
  { bodySettingsCache, bodyQueue, storedBodies }: StateContext,
  { id, atMs, projectId, outcome }: Pick<RequestRecord, "id" | "atMs" | "projectId" | "outcome">,
  nowMs: number,
): Promise<BodyState> {
  const settings = bodySettingsCache.find(projectId);
  const untilMs = atMs + settings.retentionDays * DAY_MS;
  // A body past its retention counts as deleted even before it is.
  const stored = untilMs <= nowMs ? null : await storedBodies.findMetadata(id);
  if (stored) return { state: stored.isWhole ? "whole" : "metadata", untilMs, metadata: stored.metadata };
  const isPending = outcome === "in_progress" || bodyQueue.isWaiting(id);
  return {
    state: stateWithout(settings, { atMs, untilMs, nowMs, isPending }),
    untilMs: null,
    metadata: null,
  };
}

/**
 * Explains a missing body by the project's present settings; those at the time of the call are known only if they have
 * not changed.
 */
function stateWithout(
  { mode, setAtMs }: BodySettings,
  call: { atMs: number; untilMs: number; nowMs: number; isPending: boolean },
): BodyState["state"] {
  if (mode === "off" || setAtMs === null) return "off";
  if (call.untilMs <= call.nowMs) return "expired";
  if (call.atMs < setAtMs) return "off";
  return call.isPending ? "pending" : "lost";
}

const reasons: Readonly<Record<ReceiptBody["state"], string>> = {
  off: "The project kept no bodies when the call was made.",
  metadata: "The project keeps metadata of this call, and neither request nor answer.",
  whole: "Request and answer were sealed with another GATEHOUSE_SECRET: start with that one.",
  expired: "The project's retention is over for this call.",
  pending: "The call has not ended: its body is kept when it has.",
  lost: "The body was to be kept and was lost: the gateway was stopped, or had too much to do.",
};

/** A sentence that says why the texts of a call can't be read. */
function explainMissingTexts({ state }: BodyState): string {
  return reasons[state];
}

interface ReadingContext extends ChangeContext {
  readonly storedBodies: StoredBodyReader;
}

/**
 * Reads request and answer of a call, and records the reader in the audit log.
 * @throws Refusal 404 with the reason where neither is stored.
 */
export function readRequestBody(
  { storedBodies, ...context }: ReadingContext,
  request: ChangeRequest,
  { id, projectId }: Pick<RequestRecord, "id" | "projectId">,
  readState: () => Promise<BodyState>,
): Promise<StoredTexts> {
  return change(context, withEventType(otherEvents.requestBodyRead, request), async (transaction) => {
    const state = await readState();
    const texts = state.state === "whole" ? await storedBodies.findTexts(id) : null;
    if (!texts)
      throw new Refusal(404, "not_found_error", "body_not_kept", explainMissingTexts(state), {
        param: "request_id",
      });
    await storedBodies.noteReading(transaction, { requestId: id, projectId });
    return texts;
  });
}
