import { timingSafeEqual } from "node:crypto";
import { respondWithText } from "../../http/known-response";
import type { RequestHeaders } from "../../incoming-request";
import { hashSecret } from "../../secrets/hash-secret";

/** The metrics in Prometheus' text format for `GET /metrics`, and the check of the token that permits reading them. */
export function expose(
  registry: { readonly contentType: string; metrics(): Promise<string> },
  token: string,
) {
  const expectedHash = Buffer.from(hashSecret(`Bearer ${token}`));
  return {
    /** Takes the same time for every wrong token, so that the time reveals nothing about it. */
    isOpenedBy(headers: RequestHeaders): boolean {
      const givenHash = Buffer.from(hashSecret(headers.get("authorization") ?? ""));
      return timingSafeEqual(givenHash, expectedHash);
    },
    async scrape(): Promise<Response> {
      return respondWithText(await registry.metrics(), {
        headers: { "content-type": registry.contentType, "cache-control": "no-store" },
      });
    },
  };
}
