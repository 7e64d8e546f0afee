import { raceCalls } from "./barrier";
import type { Asked, Received } from "./call-gateway";
import type { Stage } from "./start-stage";
import { until } from "./until";

/**
 * Races calls that the provider answers only once all are decided, so that none that ends makes room for another.
 * @param onDecided looks at the gateway while all that were admitted are in flight.
 * @returns what was received; `refused` of it for the reason of this status.
 */
export async function raceUndecided(
  stage: Stage,
  asked: readonly Asked[],
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
