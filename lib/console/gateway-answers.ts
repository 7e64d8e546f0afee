import type { Connection } from "./send-request";

const PATIENCE_MS = 3_000;

/** Does anything answer at the gateway's address? Whatever it says counts: `/healthz` is not in the specification. */
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
