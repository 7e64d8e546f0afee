import { otherEvents } from "@/lib/contract/access/audit-events";
import { type ChangeContext, type ChangeRequest, change, withEventType } from "../changes/change";
import { Refusal } from "../refusal";
import { type BodyState, explainMissingTexts } from "./body-state";
import type { RequestRecord } from "./request-log-reader";
import type { StoredBodyReader, StoredTexts } from "./stored-body";

interface Context extends ChangeContext {
  readonly storedBodies: StoredBodyReader;
}

/**
 * Reads request and answer of a call, and records the reader in the audit log.
 * @throws Refusal 404 with the reason where neither is stored.
 */
export function readRequestBody(
  { storedBodies, ...context }: Context,
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
