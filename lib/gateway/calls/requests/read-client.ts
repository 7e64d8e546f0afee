import type { RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import { boundText } from "../../log/requests/receipt-details";
import type { RequestHeaders } from "../../request-headers";

/** The cache's size: there are few clients, with many calls each. */
const MAX_CACHED = 1_000;
const shortUserAgents = new Map<string, string | null>();

/** A call's client details for its receipt, from its headers. */
export function readClient(
  headers: RequestHeaders,
  endpoint: RequestClient["endpoint"],
  idempotencyKey: string | null,
  runBy: RequestClient["run_by"] = null,
): RequestClient {
  return {
    endpoint,
    user_agent: readUserAgent(headers.get("user-agent")),
    client_request_id: boundText(headers.get("x-client-request-id") ?? headers.get("x-request-id")),
    retry_count: parseWholeNumber(headers.get("x-stainless-retry-count")),
    content_length: parseWholeNumber(headers.get("content-length")),
    idempotency_key_hash: idempotencyKey === null ? null : hashShortly(idempotencyKey),
    run_by: runBy,
  };
}

function readUserAgent(text: string | null): string | null {
  if (text === null) return null;
  let shortened = shortUserAgents.get(text);
  if (shortened === undefined) {
    shortened = boundText(text);
    if (shortUserAgents.size >= MAX_CACHED) shortUserAgents.clear();
    shortUserAgents.set(text, shortened);
  }
  return shortened;
}

const WHOLE_NUMBER = /^\d{1,12}$/;

function parseWholeNumber(text: string | null): number | null {
  return text !== null && WHOLE_NUMBER.test(text) ? Number(text) : null;
}

function hashShortly(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 16);
}
