import { createHmac, hkdfSync } from "node:crypto";
import { Secret } from "../secrets/secret";

const PREFIX = "whsec_";

/** The secret that callbacks are signed with, `whsec_…`: HKDF-SHA-256 of the gateway's own, so nothing else has to be kept. */
export function callbackSecret(key: Uint8Array): Secret {
  const bytes = new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), "gatehouse callback", 32));
  return new Secret(PREFIX + bytes.toBase64());
}

/** The headers of one try, as Standard Webhooks 1.0 has them: the signature covers id, time and body. */
export function signCallback(
  secret: Secret,
  { id, body, atMs }: { id: string; body: string; atMs: number },
): Record<string, string> {
  const timestamp = String(Math.floor(atMs / 1000));
  const key = Buffer.from(secret.reveal().slice(PREFIX.length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` };
}
