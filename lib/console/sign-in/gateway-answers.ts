import { type Connection, SHORT_TIMEOUT_MS } from "../gateway/gateway-request";

/**
 * Whether anything answers at the gateway's address. Any reply counts, since `/healthz` is not in the specification.
 */
export async function gatewayAnswers({ url }: Connection): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(SHORT_TIMEOUT_MS),
      cache: "no-store",
      redirect: "manual",
    });
    await reply.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
