import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { until } from "../../../support/clients/until";
import { callGateway, type Received } from "../../clients/call-gateway";
import { type ManyStage, startManyGateways } from "../../many/start-many-gateways";
import type { Scenario } from "../../scenario";
import { PLAIN_MODEL } from "../../start-stage";

const LIMIT = 50;
const PAUSE_MS = 100;
const KILL_EVERY_MS = 25_000;
const SKEWED_CLOCK = join(import.meta.dir, "../../many/skewed-clock.ts");
/** A slot lasts half a second; the rest is the pause between two tries and a busy machine. */
const LATE_MS = 2_500;

interface Seen extends Received {
  readonly endedAtMs: number;
}

export const manyAnyWindow: Scenario = {
  name: "many-any-window",
  does: "three gateways are asked ten times a second each for {size} s: every minute slid over what all of them let through",
  full: 190,
  smoke: 12,
  async run({ size, isSmoke }) {
    const stage = await startManyGateways();
    const field = "max_requests_per_1_minute";
    try {
      await stage.admin.saveRateLimit(stage.projectId, PLAIN_MODEL.id, { [field]: LIMIT });
      const seen: Seen[] = [];
      const untilMs = performance.now() + size * 1_000;
      await keepAsking(stage, seen, untilMs);
      const admitted = seen.filter(({ status }) => status === 200);
      const odd = seen.filter(({ status }) => status !== 200 && status !== 429);
      const most = fullestMinute(admitted);
      const lateMs = longestRefusal(seen) - MINUTE_MS;
      const { faults, figures } = await stage.reconcile(seen);
      for (const { status, text } of odd) faults.push(`A call was answered ${status}: ${text.slice(0, 200)}`);
      if (most > LIMIT) faults.push(`${most} calls were let through in one minute, at most ${LIMIT} may be`);
      if (!isSmoke && lateMs > LATE_MS)
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

export const postgresClock: Scenario = {
  name: "postgres-clock",
  does: "PostgreSQL's clock steps an hour ahead or back, {size} times, while three gateways ask for more than a minute's limit: nobody is let through beyond it",
  full: 10,
  smoke: 3,
  async run({ size, isSmoke, random }) {
    const stage = await startManyGateways();
    try {
      for (const statement of STEPPED_CLOCK) await stage.rows(statement);
      await stage.admin.saveRateLimit(stage.projectId, PLAIN_MODEL.id, { max_requests_per_1_minute: LIMIT });
      const calls: Received[] = [];
      let asks = 0;
      const askAll = (times: number) =>
        Promise.all(
          stage.places.flatMap(({ baseUrl, keys: [first] }) =>
            Array.from({ length: times }, async () => {
              const script = {
                nonce: `c${asks++}`,
                promptTokens: 1,
                completionTokens: 1,
              };
              const asked = { keyId: first?.id ?? "", model: PLAIN_MODEL.id, isStream: false, script };
              calls.push(await callGateway(asked, { baseUrl, key: first?.value ?? "" }));
            }),
          ),
        );
      const beganAtMs = performance.now();
      // Their connections were cut a moment ago.
      await until("all gateways are back", async () => {
        const before = calls.length;
        await askAll(1);
        return calls.slice(before).every(({ status }) => status !== 503);
      });
      await askAll(LIMIT);
      let steps = 0;
      for (; steps < size && performance.now() - beganAtMs < MINUTE_MS - LATE_MS; steps++) {
        const seconds = random.pick([-3_600, 3_600, 0, random.between(-3_600, 3_600)]);
        await stage.rows(`UPDATE test_clock.ahead SET seconds = ${seconds}`);
        await askAll(5);
      }
      const admitted = calls.filter(({ status }) => status === 200).length;
      const { faults, figures } = await stage.reconcile(calls);
      if (steps === 0 && !isSmoke)
        faults.push("The machine was too slow: a minute had passed before the first step");
      if (steps > 0 && admitted !== LIMIT)
        faults.push(`${admitted} calls were let through within a minute, ${LIMIT} may be`);
      return { faults, figures: { ...figures, steps, admitted } };
    } finally {
      await stage.stop();
    }
  },
};

/** By so much a gateway's clock is ahead, right, or behind. */
const SKEWS_MS = [HOUR_MS, 0, -HOUR_MS];

export const manyClocks: Scenario = {
  name: "many-clocks",
  does: "the clocks of three gateways are an hour apart: {size} minutes of calls keep the limit over all, and what a killed gateway held is taken over once",
  full: 3,
  smoke: 0,
  async run({ size }) {
    const stage = await startManyGateways({
      preloads: [SKEWED_CLOCK],
      envOf: (gateway) => ({ CLOCK_SKEW_MS: String(SKEWS_MS[gateway]) }),
    });
    try {
      await stage.admin.saveRateLimit(stage.projectId, PLAIN_MODEL.id, { max_requests_per_1_minute: LIMIT });
      const seen: Seen[] = [];
      const untilMs = performance.now() + size * MINUTE_MS;
      let kills = 0;
      const killing = setInterval(() => {
        void stage.gateways[kills++ % stage.gateways.length]?.restart("SIGKILL");
      }, KILL_EVERY_MS);
      await keepAsking(stage, seen, untilMs);
      clearInterval(killing);
      await until("all gateways are back", async () => {
        const ready = stage.gateways.map(({ url }) =>
          fetch(`${url}/readyz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        );
        return (await Promise.all(ready)).every(Boolean);
      });
      const admitted = seen.filter(({ status }) => status === 200);
      const most = fullestMinute(admitted);
      const takenOverMs = await stage.settle();
      const { faults, figures } = await stage.reconcile(seen);
      if (most > LIMIT) faults.push(`${most} calls were let through in one minute, at most ${LIMIT} may be`);
      if (admitted.length < LIMIT * (size - 1))
        faults.push(`Only ${admitted.length} calls were let through in ${size} minutes`);
      return {
        faults,
        figures: { ...figures, kills, "most in a minute": most, "taken over ms": Math.round(takenOverMs) },
      };
    } finally {
      await stage.stop();
    }
  },
};

/** Asks each gateway ten times a second. */
async function keepAsking({ places }: ManyStage, seen: Seen[], untilMs: number): Promise<void> {
  await Promise.all(
    places.map(async ({ baseUrl, keys: [first] }, place) => {
      for (let index = 0; performance.now() < untilMs; index++) {
        const script = { nonce: `w${place}-${index}`, promptTokens: 1, completionTokens: 1 };
        const asked = { keyId: first?.id ?? "", model: PLAIN_MODEL.id, isStream: false, script };
        const received = await callGateway(asked, { baseUrl, key: first?.value ?? "" });
        seen.push({ ...received, endedAtMs: performance.now() });
        await Bun.sleep(PAUSE_MS);
      }
    }),
  );
}

/** A clock that the row steps, found before PostgreSQL's own by connections that begin from now on. */
const STEPPED_CLOCK = [
  "CREATE SCHEMA test_clock",
  "CREATE TABLE test_clock.ahead AS SELECT 0 AS seconds",
  `CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
    $$ SELECT pg_catalog.clock_timestamp() + make_interval(secs => seconds) FROM test_clock.ahead $$`,
  "ALTER DATABASE postgres SET search_path = public, test_clock, pg_catalog",
  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'gatehouse%'",
];

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
