import type { PathDialect } from "@/lib/contract/unserved-paths";
import { Refusal } from "../refusal";
import type { RequestHeaders } from "../request-headers";
import { respondWithJson } from "./response";

/** The API whose formats a client speaks. */
export type Dialect = "openai" | "anthropic";

/** The paths of messages, also with a prefix and behind an origin. */
const MESSAGES = /\/messages(\/count_tokens)?\/?(\?|$)/;

/**
 * Clients of Anthropic's API send their version at each path. Those that leave it out are known at the paths of
 * messages by their header for the key; with `Authorization: Bearer` the form is the specification's own.
 */
export function findDialect(headers: RequestHeaders, path = ""): Dialect {
  if (headers.has("anthropic-version")) return "anthropic";
  const hasOwnKey = headers.has("x-api-key") && !headers.has("authorization");
  return hasOwnKey && MESSAGES.test(path) ? "anthropic" : "openai";
}

/** Keeps browsers from guessing a content type and running a reply (WHATWG Fetch, section 3.6). */
export const noSniffing = { "x-content-type-options": "nosniff" } as const;

const anthropicTypes: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "invalid_request_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/**
 * Lets Anthropic's SDK carry on without a thread, sending all messages itself, as its servers do where they keep none.
 */
const withoutThread = { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } };

/** Google's names of the statuses that a path without an operation can have. */
const googleStatuses: Readonly<Record<number, string>> = { 404: "NOT_FOUND", 405: "UNIMPLEMENTED" };

/** The reply to a refused request. */
export function answerRefusal(refusal: Refusal, requestId: string, dialect: Dialect | PathDialect): Response {
  const anthropicHeader = dialect === "anthropic" && { "request-id": requestId };
  const headers = {
    "x-request-id": requestId,
    ...noSniffing,
    ...anthropicHeader,
    ...refusal.details.headers,
  };
  return respondWithJson(refusalBody(refusal, requestId, dialect), { status: refusal.status, headers });
}

/** The body of a refusal in the caller's dialect. Both forms of clients that are served carry the same facts. */
export function refusalBody(refusal: Refusal, requestId: string, dialect: Dialect | PathDialect): unknown {
  const body = refusal.body(requestId);
  const { status } = refusal;
  if (dialect === "openai") return body;
  if (dialect === "ollama") return { error: body.error.message };
  if (dialect === "google")
    return { error: { ...body.error, code: status, status: googleStatuses[status] ?? "UNKNOWN" } };
  const type = anthropicTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
  const more = refusal.details.param === "thread" ? withoutThread : {};
  return { type: "error", error: { ...body.error, type, ...more }, request_id: requestId };
}

/** The refusal for an internal error. It reveals nothing but the request's id. */
export function internalError(requestId: string): Refusal {
  const message = `Something failed on our side. Try again. If it fails again, look up request ${requestId}.`;
  return new Refusal(500, "service_error", "internal_error", message);
}
