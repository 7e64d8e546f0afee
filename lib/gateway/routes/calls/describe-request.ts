import type { LoggedRequest } from "@/lib/contract/operations/calls/requests";
import { formatAmount } from "@/lib/money/amount";
import type { Caller } from "../../access/caller";
import type { RequestRecord } from "../../log/requests/request-record";
import { toUnixSeconds } from "../../unix-seconds";
import { formatUnits } from "../format-units";
import { describeNeed, pickVisibleFacts } from "./pick-visible-facts";

/** A call in the API's form for lists, with the figures that the caller may see. */
export function toRequest(
  request: RequestRecord,
  permissionsIn: Caller["permissionsIn"],
  currency: string,
): LoggedRequest {
  return {
    object: "request",
    id: request.id,
    created_at: toUnixSeconds(request.atMs),
    project_id: request.projectId,
    project_name: request.projectName,
    key_id: request.keyId,
    key_name: request.keyName,
    model: request.model,
    provider: request.provider,
    stream: request.stream,
    outcome: request.outcome,
    status: request.status,
    refused_by: request.refusedBy,
    prompt_tokens: request.promptTokens,
    completion_tokens: request.completionTokens,
    cached_tokens: request.cachedTokens,
    units: request.units === null ? null : formatUnits(request.units),
    unit: request.unit,
    ...describeNeed(request.refusedBy === null ? {} : pickVisibleFacts(permissionsIn, request.facts)),
    estimated_tokens: request.estimatedTokens,
    amount: request.amount === null ? null : formatAmount(request.amount),
    currency,
    first_byte_ms: request.firstByteMs,
    duration_ms: request.durationMs,
    batch_id: request.batchId,
  };
}
