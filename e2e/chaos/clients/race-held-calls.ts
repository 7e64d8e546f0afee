import { until } from "../../support/clients/until";
import type { Stage } from "../start-stage";
import type { ClientCall, Received } from "./call-gateway";
import { raceCalls } from "./race-calls";

/**
 * Races calls that the provider answers only after all were admitted or refused, so that none ends and makes room for
 * another.
 * @param onDecided is called while all admitted calls are in flight.
 * @returns all replies, and `refused` with those that have the status `refusedBy`.
 */
export async function raceHeldCalls(
  stage: Stage,
  asked: readonly ClientCall[],
  refusedBy: 402 | 429,
  onDecided?: () => Promise<void>,
): Promise<{ received: Received[]; refused: Received[] }> {
  const refused: Received[] = [];
  const racing = await raceCalls(asked, { baseUrl: stage.baseUrl, key: stage.keys[0]?.value ?? "" });
  for (const call of racing) {
    void call.then((received) => received.status === refusedBy && refused.push(received));
  }
  try {
    await until(
      "all are decided",
      async () => refused.length + (await stage.waiting()).length >= asked.length,
    );
    await onDecided?.();
  } finally {
    await stage.letGo();
  }
  return { received: await Promise.all(racing), refused };
}
