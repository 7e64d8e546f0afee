import * as z from "zod/mini";
import { type ErrorCode, listErrorCodes } from "@/lib/contract/errors";
import { isObject } from "@/lib/contract/json-value";
import { type OperationId, operations } from "@/lib/contract/operation-table";
import {
  balanceRefusal,
  circuitRefusal,
  limitRefusal,
  spendLimitRefusal,
} from "@/lib/contract/refusal-facts";
import { createProblem, orNull, type Problem, type StaleObject } from "./problem";

/** Ids of the operations that every gateway of the specification has, so their 404 means an unknown object. */
const specifiedOperations: readonly string[] = [
  "createChatCompletion",
  "createMessage",
  "saveRateLimit",
  "createRole",
] satisfies OperationId[];

/** The 404s of operations that exist. */
const missingObjectCodes: readonly string[] = listErrorCodes(404).filter((code) => code !== "path_not_found");

const text = orNull(z.string());

/** The contract's error. Each part is used only if it is valid. */
const contractError = z.object({
  message: text,
  type: text,
  code: text,
  param: text,
  request_id: text,
  permission: text,
  limit: orNull(limitRefusal),
  current: z.optional(z.unknown()),
  circuit: orNull(circuitRefusal),
  spend_limit: orNull(spendLimitRefusal),
  balance: orNull(balanceRefusal),
});
type ContractError = z.output<typeof contractError>;

/** A refused reply with its parsed body (undefined if it is not JSON). */
export interface RefusedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  /** The method and path that were tried: "GET /organization/roles". */
  readonly endpoint: string;
  readonly operationId: string;
}

/** Translates a gateway's refusal to the console's terms, whatever the form of its error body. */
export function readProblem(reply: RefusedReply): Problem {
  const error = readError(reply.body);
  const message = error.message ?? describeStatus(reply.status);
  const common = {
    message,
    fields: error.param ? { [error.param]: message } : {},
    requestId: reply.headers.get("x-request-id") ?? error.request_id,
    ...(error.code !== null && { errorCode: error.code }),
  };
  if (isUnsupported(reply, error)) return buildUnsupported(reply, common.requestId);
  switch (reply.status) {
    case 400:
    case 413:
    case 422:
      return { ...common, code: "invalid" };
    case 401:
      return { ...common, code: "unauthenticated" };
    case 402:
      return error.spend_limit
        ? { ...common, code: "spend_limit", spendLimit: error.spend_limit }
        : { ...common, code: "insufficient_balance", balance: error.balance };
    case 403:
      return isPermissionMissing(error)
        ? { ...common, code: "missing_permission", permission: error.permission }
        : { ...common, code: "refused" };
    case 404:
      return { ...common, code: "not_found" };
    case 409:
      return { ...common, message: conflictMessage(error.code) ?? message, code: "conflict" };
    case 412:
      return { ...common, fields: {}, code: "stale", current: readStaleObject(error.current) };
    case 429:
      return { ...common, code: "rate_limited", limit: error.limit, retryAfterSeconds: retryAfter(reply) };
    default:
      return error.circuit
        ? { ...common, code: "circuit_open", circuit: error.circuit }
        : { ...common, code: "failed", ...(isDown(reply.status, error.code) && { isDown: true }) };
  }
}

/** A 503 with another code is about the request alone, such as too many of its kind. */
function isDown(status: number, code: string | null): boolean {
  return status === 503 && (code === null || code === ("store_unavailable" satisfies ErrorCode));
}

/** An `error` event within a stream, or the `error` of a task. It has no status of its own. */
export function readStreamProblem(body: unknown, requestId: string | null): Problem {
  const error = readError(body);
  return createProblem("failed", error.message ?? describeStatus(500), {
    requestId: error.request_id ?? requestId,
  });
}

function isUnsupported(reply: RefusedReply, error: ContractError): boolean {
  if (reply.status === 405 || reply.status === 501) return true;
  if (reply.status !== 404 || specifiedOperations.includes(reply.operationId)) return false;
  if (error.code !== null) return !missingObjectCodes.includes(error.code);
  return error.type !== "not_found_error";
}

function buildUnsupported(reply: RefusedReply, requestId: string | null): Problem {
  const summary = Object.hasOwn(operations, reply.operationId)
    ? operations[reply.operationId as OperationId].summary
    : "";
  return {
    code: "unsupported",
    message: `This gateway has no ${reply.endpoint}. ${summary}`.trim(),
    fields: {},
    requestId,
    endpoint: reply.endpoint,
  };
}

/** What a 412 says of the object: null if it was deleted, absent if the caller may not read it. */
function readStaleObject(current: unknown): StaleObject {
  if (current === undefined) return { state: "unreadable" };
  return current === null ? { state: "deleted" } : { state: "changed", object: current };
}

/** Replaces messages that are written for programs, since people don't see an idempotency key. */
function conflictMessage(code: string | null): string | null {
  const idempotencyCodes: ErrorCode[] = ["idempotency_conflict", "idempotency_lost"];
  return idempotencyCodes.some((known) => known === code)
    ? "The first attempt may have succeeded, but its reply was lost. Check whether the object exists before you open this form again."
    : null;
}

/** A 403 with another code is no matter of permissions, unless it names one. */
function isPermissionMissing({ code, permission }: ContractError): boolean {
  return permission !== null || code === null || code === ("missing_permission" satisfies ErrorCode);
}

function retryAfter(reply: RefusedReply): number | null {
  const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** The specification doesn't define the error body, so this accepts the contract's form and common ones. */
function readError(body: unknown): ContractError {
  const envelope = isObject(body) ? body : {};
  const inner = isObject(envelope.error) ? envelope.error : envelope;
  const error = contractError.parse(inner);
  const message = [error.message, envelope.error, envelope.detail].find((words) => typeof words === "string");
  return { ...error, message: typeof message === "string" && message !== "" ? message : null };
}

/** For replies without a message. The gateway always sends one, so these are mostly from a proxy in front of it. */
const defaultMessages: Readonly<Record<number, string>> = {
  400: "The gateway refused the request as invalid.",
  401: "The gateway no longer accepts this sign-in.",
  402: "The balance is too low for this call.",
  403: "You don't have permission for this.",
  404: "The gateway knows no such object.",
  409: "This conflicts with something that exists already.",
  413: "The request is larger than the gateway accepts.",
  429: "Too many requests: wait a moment and try again.",
  502: "The gateway did not answer. A proxy in front of it reported 502. Try again.",
  503: "The gateway is unavailable at the moment. Try again shortly.",
  504: "The gateway did not answer in time. A proxy in front of it reported 504. Try again.",
};

function describeStatus(status: number): string {
  return defaultMessages[status] ?? `The gateway failed (status ${status}). Try again.`;
}
