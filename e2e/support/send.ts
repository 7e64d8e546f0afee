import type { ErrorBody } from "@/lib/contract/errors";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
  /** What was refused; empty where nothing was. */
  readonly error: Partial<ErrorBody["error"]>;
}

/** Sends a request as it is written, with nothing that a client library would add or mend. */
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
    /** Text and bytes go as they are; anything else as JSON. */
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
  return { status: response.status, headers: response.headers, body: parsed, error };
}
