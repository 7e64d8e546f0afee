import { MINUTE_MS } from "@/lib/contract/durations";
import { callGateway, type Received } from "../../clients/call-gateway";
import { startManyGateways } from "../../many/start-many-gateways";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL } from "../../start-stage";

const LIMIT = 50;
const PAUSE_MS = 100;
/** A slot lasts half a second; the rest is the pause between two tries and a busy machine. */
const LATE_MS = 2_500;

interface Seen extends Received {
  readonly endedAtMs: number;
}

export const manyAnyWindow: Scenario = {
  name: "many-any-window",
  does: "three gateways are asked ten times a second each for {size} s: every minute slid over what all of them let through",
  full: 190,
  smoke: 75,
  async run({ size }) {
    const stage = await startManyGateways();
    const field = "max_requests_per_1_minute";
    try {
      await stage.admin.saveRateLimit(stage.projectId, PLAIN_MODEL.id, { [field]: LIMIT });
      const seen: Seen[] = [];
      const untilMs = performance.now() + size * 1_000;
      await Promise.all(
        stage.places.map(async ({ baseUrl, keys: [first] }, place) => {
          for (let index = 0; performance.now() < untilMs; index++) {
            const script = { nonce: `w${place}-${index}`, promptTokens: 1, completionTokens: 1 };
            const asked = { keyId: first?.id ?? "", model: PLAIN_MODEL.id, isStream: false, script };
            const received = await callGateway(asked, { baseUrl, key: first?.value ?? "" });
            seen.push({ ...received, endedAtMs: performance.now() });
            await Bun.sleep(PAUSE_MS);
          }
        }),
      );
      const admitted = seen.filter(({ status }) => status === 200);
      const odd = seen.filter(({ status }) => status !== 200 && status !== 429);
      const most = fullestMinute(admitted);
      const lateMs = longestRefusal(seen) - MINUTE_MS;
      const { faults, figures } = await stage.reconcile(seen);
      for (const { status, text } of odd) faults.push(`A call was answered ${status}: ${text.slice(0, 200)}`);
      if (most > LIMIT) faults.push(`${most} calls were let through in one minute, at most ${LIMIT} may be`);
      if (lateMs > LATE_MS)
        faults.push(`Nobody was let through ${Math.round(lateMs)} ms after there was room`);
      return {
        faults,
        figures: { ...figures, "most in a minute": most, "freed late ms": Math.round(lateMs) },
      };
    } finally {
      await stage.stop();
    }
  },
};

/** The most calls that were surely let through within one minute: those that began and ended in it. */
function fullestMinute(admitted: readonly Seen[]): number {
  const begins = admitted.map(({ endedAtMs, elapsedMs }) => endedAtMs - elapsedMs);
  return Math.max(
    0,
    ...begins.map(
      (from) =>
        admitted.filter(
          ({ endedAtMs, elapsedMs }) => endedAtMs - elapsedMs >= from && endedAtMs < from + MINUTE_MS,
        ).length,
    ),
  );
}

/** The longest time between two calls that were let through. The whole limit is used at once, and is free at once. */
function longestRefusal(seen: readonly Seen[]): number {
  const times = seen
    .filter(({ status }) => status === 200)
    .map(({ endedAtMs }) => endedAtMs)
    .toSorted((one, other) => one - other);
  return Math.max(0, ...times.slice(1).map((at, index) => at - (times[index] ?? at)));
}
