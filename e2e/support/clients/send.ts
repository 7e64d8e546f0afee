import { strict as assert } from "node:assert";
import { type ErrorBody, type ErrorStatus, listErrorCodes } from "@/lib/contract/errors";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** The error; empty for a successful request. */
  readonly error: Partial<ErrorBody["error"]>;
}

interface RequestFields extends Omit<RequestInit, "method" | "headers" | "body"> {
  /** By default POST with a body, otherwise GET. */
  readonly method?: string;
  /** A key or a session's token. */
  readonly key?: string | undefined;
  /** Objects and arrays are sent as JSON, anything else unchanged. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

interface CallOptions {
  /** The text of the call's only message. */
  readonly content?: string;
  /** The status that the reply must have. */
  readonly status?: number;
}

/** Builds a request exactly as described, without a client library. */
export function buildRequest(address: string, fields: RequestFields): Request {
  return new Request(address, toInit(fields));
}

/** Sends a request exactly as described, for replies that aren't JSON or are read in pieces. */
export function fetchWithKey(address: string, fields: RequestFields): Promise<Response> {
  return fetch(address, toInit(fields));
}

/** Sends a request exactly as described, and reads its reply as JSON. */
export async function send(address: string, fields: RequestFields): Promise<Answer> {
  const response = await fetchWithKey(address, fields);
  const text = await response.text();
  const parsed = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  const error = (parsed.error ?? {}) as Answer["error"];
  refuseUnlisted(response.status, error.code);
  return { status: response.status, headers: response.headers, body: parsed, error };
}

/**
 * Calls a chat model as a program does, and reads the whole reply.
 * @returns the request's id.
 */
export async function callModel(
  { baseUrl }: { readonly baseUrl: string },
  key: string,
  model: string,
  { content = "one two three", status = 200 }: CallOptions = {},
): Promise<string> {
  const body = { model, messages: [{ role: "user", content }] };
  const reply = await fetchWithKey(`${baseUrl}/chat/completions`, { key, body });
  const text = await reply.text();
  assert.equal(reply.status, status, text);
  return reply.headers.get("x-request-id") ?? "";
}

function toInit({ method, key, body, headers, ...rest }: RequestFields): RequestInit {
  const isOwnKind = body instanceof FormData || body instanceof Blob;
  const isRaw =
    isOwnKind || typeof body === "string" || body instanceof Uint8Array || body instanceof ReadableStream;
  return {
    ...rest,
    method: method ?? (body === undefined ? "GET" : "POST"),
    headers: {
      ...(!isOwnKind && { "content-type": "application/json" }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  };
}

/**
 * Checks a code against those that /openapi.json lists for the status.
 * @throws Error if it isn't listed.
 */
export function refuseUnlisted(status: number, code: unknown): void {
  if (typeof code !== "string" || listErrorCodes(status as ErrorStatus).some((known) => known === code))
    return;
  throw new Error(`The table of error codes has no "${code}" with status ${status}.`);
}
