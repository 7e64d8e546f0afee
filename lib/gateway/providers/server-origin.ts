import type { Provider } from "../models/providers/provider-directory";

/**
 * A server in seals, by its host: several providers may be accounts at one. Callers may not know it, so it is hashed.
 */
export function toOrigin(baseUrl: string): string {
  const known = origins.get(baseUrl);
  if (known !== undefined) return known;
  const origin = hash(findHost(baseUrl)).slice(0, 12);
  if (origins.size >= MAX_ORIGINS) origins.clear();
  origins.set(baseUrl, origin);
  return origin;
}

/** The last ones, since each call asks for them. */
const origins = new Map<string, string>();
const MAX_ORIGINS = 1_000;

/** An account at a server in seals, by its host and key: what it encrypts can only be read with that key. */
export function toAccount({ baseUrl, apiKey }: Pick<Provider, "baseUrl" | "apiKey">): string {
  return hash(`${findHost(baseUrl)}\n${apiKey?.reveal() ?? ""}`).slice(0, 16);
}

const findHost = (baseUrl: string) => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
const hash = (text: string) => new Bun.CryptoHasher("sha256").update(text).digest("hex");
