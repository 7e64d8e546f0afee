import { builtInRateLimits, type RateLimitValues } from "@/lib/contract/calls/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import type { Caller } from "../../access/caller";
import type { AnswerCall } from "../../batches/lines/answer-line";
import { answerOnce, type OnceContext, readIdempotency } from "../../calls/answer-once";
import { type CompletionContext, complete } from "../../calls/call";
import { readClient } from "../../calls/requests/incoming-call";
import { requireMessages } from "../../calls/requests/prepared-request";
import { readRequest } from "../../calls/requests/request-reader";
import { BodyReader, joinPieces } from "../../http/body-reader";
import type { CatalogueModel } from "../../models/catalogue";

export const PROJECT = "proj_a";
export const KEY = "key_a";
export const MODEL_ID = "small";

const prices = {
  rate: toNano(1_000_000_000n),
  batchRate: toNano(500_000_000n),
  price: { inputPer1m: toNano(1_000_000_000n), outputPer1m: toNano(2_000_000_000n) },
  unitPrice: null,
  audioPrice: null,
};

export const model: CatalogueModel = {
  id: MODEL_ID,
  family: "chat",
  description: null,
  ...prices,
  definedPrices: prices,
  pricedAtMs: null,
  maxOutputTokens: 100,
  contextWindow: null,
  typicalOutputTokens: 10,
  routes: [{ provider: "sandbox", model: MODEL_ID }],
  definedRoutes: [],
  definedRateLimits: {},
  routedAtMs: null,
  projects: null,
  inputModalities: null,
  source: "built_in",
  sandbox: false,
  defaultRateLimits: builtInRateLimits,
  createdAtMs: 0,
};

export const createLimits = (requestsPerMinute: number): RateLimitValues => ({
  ...builtInRateLimits,
  max_requests_per_1_minute: requestsPerMinute,
  max_tokens_per_1_minute: 1_000_000_000,
});

const permissions = new Set(["api.completions.write"] as const);

/** A project's key that may do everything. */
export const caller: Caller = {
  kind: "project_key",
  id: KEY,
  keyId: KEY,
  holder: { kind: "role", id: "role_member" },
  name: "Key",
  projectId: PROJECT,
  roles: [],
  permissions,
  permissionsIn: () => permissions,
  holdsAnywhere: () => true,
  expiresAtMs: null,
};

/**
 * Answers a line's call as the live endpoint does: once per idempotency key, with a hold that is settled before the
 * reply.
 */
export function answerCalls(context: OnceContext & CompletionContext): AnswerCall {
  const bodyReader = new BodyReader({
    clock: context.runtime.clock,
    maxSlowPerAddress: Number.POSITIVE_INFINITY,
  });
  return async (requestContext, lineCaller, kind, ofBatch) => {
    const { headers } = requestContext.request;
    const key = headers.get("idempotency-key");
    const bytes = joinPieces(await bodyReader.read(requestContext, Number.POSITIVE_INFINITY));
    const read = readRequest(bytes, { kind, wantsHash: true }, { entries: 1_000 });
    const request = requireMessages(read);
    const idempotency = readIdempotency(
      key,
      { projectId: PROJECT, callerId: lineCaller.keyId },
      request.bodyHash,
    );
    const client = readClient(headers, "chat/completions", key);
    const refuseEndedAccess = () => {};
    const made = {
      requestContext,
      caller: lineCaller,
      projectId: PROJECT,
      client,
      ...ofBatch,
      refuseEndedAccess,
    };
    const call = { ...made, request, idempotency };
    return answerOnce(context, call, (incoming) => complete(context, incoming));
  };
}
