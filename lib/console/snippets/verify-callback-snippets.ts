// Safe for the browser: no imports. Receivers of callbacks that check their signatures, by Standard Webhooks.

/**
 * A receiver's check in TypeScript, without a package. `CALLBACK_SECRET` in the environment is the project's secret.
 */
export const typescriptVerifier = `import { createHmac, timingSafeEqual } from "node:crypto";

const key = Buffer.from(process.env.CALLBACK_SECRET!.slice("whsec_".length), "base64");

/** Whether a callback is genuine and at most five minutes old. \`body\` is the request's text, unparsed. */
export function isGenuine(headers: Headers, body: string): boolean {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) return false;
  const expected = createHmac("sha256", key).update(\`\${id}.\${timestamp}.\${body}\`).digest();
  // While a replaced secret still signs, there are several signatures.
  return (headers.get("webhook-signature") ?? "").split(" ").some((signature) => {
    const sent = Buffer.from(signature.replace("v1,", ""), "base64");
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
}`;

/** The same in Python. */
export const pythonVerifier = `import base64, hashlib, hmac, os, time

key = base64.b64decode(os.environ["CALLBACK_SECRET"].removeprefix("whsec_"))

def is_genuine(headers, body: bytes) -> bool:
    """Whether a callback is genuine and at most five minutes old. body is the request's bytes, unparsed."""
    timestamp = headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        return False
    signed = f"{headers['webhook-id']}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    # While a replaced secret still signs, there are several signatures.
    return any(hmac.compare_digest(sent, expected) for sent in headers["webhook-signature"].split(" "))`;
