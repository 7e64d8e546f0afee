import { timingSafeEqual } from "node:crypto";
import { hashSecret } from "../secrets/hash-secret";

/** The metrics in Prometheus' text format, for `GET /metrics`, and the token that opens them. */
export function expose(
  registry: { readonly contentType: string; metrics(): Promise<string> },
  token: string,
) {
  const known = Buffer.from(hashSecret(`Bearer ${token}`));
  return {
    /** Takes the same time for every wrong token. */
    isOpenedBy(headers: Headers): boolean {
      const given = Buffer.from(hashSecret(headers.get("authorization") ?? ""));
      return timingSafeEqual(given, known);
    },
    async scrape(): Promise<Response> {
      return new Response(await registry.metrics(), {
        headers: { "content-type": registry.contentType, "cache-control": "no-store" },
      });
    },
  };
}
