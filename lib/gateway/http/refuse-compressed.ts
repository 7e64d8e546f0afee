import type { RequestHeaders } from "../incoming-request";
import { Refusal } from "../refusal";

/** Some clients announce a character set here, such as `utf-8`, which compresses nothing. */
const COMPRESSIONS = /\b(?:gzip|br|zstd|deflate|compress)\b/i;

/**
 * Bodies are read as they are sent, since a small compressed one can be huge (RFC 9110, section 8.4).
 * @throws Refusal 415 for a body that its `content-encoding` calls compressed.
 */
export function refuseCompressed(headers: RequestHeaders): void {
  const compression = COMPRESSIONS.exec(headers.get("content-encoding") ?? "");
  if (compression) throw compressedBody(compression[0].toLowerCase());
}

export function compressedBody(compression: string): Refusal {
  const message = `The body is compressed with ${compression}. Send it uncompressed, without a Content-Encoding.`;
  return new Refusal(415, "invalid_request_error", "unsupported_content_encoding", message, {
    param: "body",
    headers: { "accept-encoding": "identity" },
  });
}
