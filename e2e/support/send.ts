import { type ErrorBody, type ErrorStatus, listErrorCodes } from "@/lib/contract/errors";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** The error; empty for a successful request. */
  readonly error: Partial<ErrorBody["error"]>;
}

/** Sends a request exactly as written, without a client library. */
export async function send(
  address: string,
  {
    method = "GET",
    key,
    body,
    headers = {},
  }: {
    method?: string;
    key?: string | undefined;
    /** Text and bytes are sent unchanged, anything else as JSON. */
    body?: unknown;
    headers?: Record<string, string>;
  },
): Promise<Answer> {
  const isRaw = typeof body === "string" || body instanceof Uint8Array;
  const response = await fetch(address, {
    method,
    headers: {
      "content-type": "application/json",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
  const error = (parsed.error ?? {}) as Answer["error"];
  refuseUnlisted(response.status, error.code);
  return { status: response.status, headers: response.headers, body: parsed, error };
}

/** Checks a code against those that /openapi.json lists for the status. @throws Error if it isn't listed. */
export function refuseUnlisted(status: number, code: unknown): void {
  if (typeof code !== "string" || listErrorCodes(status as ErrorStatus).some((known) => known === code))
    return;
  throw new Error(`The table of error codes has no "${code}" with status ${status}.`);
}
