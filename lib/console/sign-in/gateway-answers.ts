import type { Connection } from "../gateway/gateway-request";

const PATIENCE_MS = 3_000;

/** Whether anything answers at the gateway's address. Any reply counts, since `/healthz` is not in the specification. */
export async function gatewayAnswers({ url }: Connection): Promise<boolean> {
  try {
    const reply = await fetch(`${url}/healthz`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      cache: "no-store",
      redirect: "manual",
    });
    await reply.body?.cancel();
    return true;
  } catch {
    return false;
  }
}
