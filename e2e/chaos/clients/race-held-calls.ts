import { until } from "../../support/clients/until";
import type { ClientCall, Received } from "./call-gateway";
import { raceCalls } from "./race-calls";

/** What a race needs of a stage with one gateway or several. */
interface RaceStage {
  readonly baseUrls: readonly string[];
  readonly keys: readonly { readonly value: string }[];
  waiting(): Promise<string[]>;
  letGo(): Promise<unknown>;
}

/**
 * Races calls that the provider answers only after all were admitted or refused, so that none ends and makes room for
 * another.
 * @param onDecided is called while all admitted calls are in flight.
 * @returns all replies, and `refused` with those that have the status `refusedBy`.
 */
export async function raceHeldCalls(
  stage: RaceStage,
  asked: readonly ClientCall[],
  refusedBy: 402 | 429,
  onDecided?: () => Promise<void>,
): Promise<{ received: Received[]; refused: Received[] }> {
  const refused: Received[] = [];
  const others: string[] = [];
  const racing = await raceCalls(asked, {
    baseUrls: stage.baseUrls,
    key: stage.keys[0]?.value ?? "",
  });
  for (const call of racing) {
    void call.then((received) =>
      received.status === refusedBy
        ? refused.push(received)
        : received.status === 200 || others.push(`${received.status} ${received.text.slice(0, 200)}`),
    );
  }
  try {
    await until("all are decided", async () => {
      if (others[0] !== undefined) throw new Error(`A call is neither admitted nor refused: ${others[0]}`);
      return refused.length + (await stage.waiting()).length >= asked.length;
    });
    await onDecided?.();
  } finally {
    await stage.letGo();
  }
  return { received: await Promise.all(racing), refused };
}
