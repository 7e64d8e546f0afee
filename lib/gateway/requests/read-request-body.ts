import { REQUEST_BODY_READ } from "@/lib/contract/audit-events";
import { type ChangeContext, type ChangeRequest, change, requestAs } from "../changes/change";
import { Refusal } from "../refusal";
import { type BodyState, explainMissingTexts } from "./body-state";
import type { KeptBodyReader, KeptTexts } from "./kept-body";
import type { RequestRecord } from "./request-log-reader";

interface Context extends ChangeContext {
  readonly keptBodies: KeptBodyReader;
}

/**
 * Reads request and answer of a call, and records the reader in the audit log.
 * @throws Refusal 404 with the reason where neither is stored.
 */
export function readRequestBody(
  { keptBodies, ...context }: Context,
  request: ChangeRequest,
  { id, projectId }: Pick<RequestRecord, "id" | "projectId">,
  readState: () => Promise<BodyState>,
): Promise<KeptTexts> {
  return change(context, requestAs(REQUEST_BODY_READ, request), async (transaction) => {
    const state = await readState();
    const texts = state.state === "whole" ? await keptBodies.findTexts(id) : null;
    if (!texts)
      throw new Refusal(404, "not_found_error", "body_not_kept", explainMissingTexts(state), {
        param: "request_id",
      });
    await keptBodies.noteReading(transaction, { requestId: id, projectId });
    return texts;
  });
}
