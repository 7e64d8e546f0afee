import pg from "pg";
import { awayTimes, exceptTakenOver, underLoad } from "../../many/under-load";
import type { Outcome, Scenario } from "../../scenario";

const CALLS_BEFORE = 60;
/** Longer than a lease. */
const PAUSE_MS = 33_000;
/** The others hardly notice that a gateway stands still: so long, or as much longer than before. */
const [OTHERS_WITHIN_MS, OTHERS_SLOWER] = [1_000, 3];
const ROUNDS_BEFORE = 20;

export const manyPaused: Scenario = {
  name: "many-paused",
  does: "one of three gateways stands still (SIGSTOP) for longer than its lease, {size} times: the others go on, and what it held is booked once",
  full: 3,
  smoke: 1,
  async run(order) {
    const { size, random } = order;
    const { faults, figures } = await underLoad(order, async ({ gateways, places }, load) => {
      const slow: string[] = [];
      const everybody = places.map((_place, index) => index);
      let usualMs = 0;
      for (let round = 0; round < ROUNDS_BEFORE; round++)
        usualMs = Math.max(usualMs, await load.answered(everybody));
      let slowestMs = 0;
      for (let time = 0; time < size; time++) {
        await load.goesOn(random.between(1, CALLS_BEFORE));
        const paused = random.between(0, gateways.length - 1);
        const pid = gateways[paused]?.pid() ?? 0;
        process.kill(pid, "SIGSTOP");
        const untilMs = performance.now() + PAUSE_MS;
        try {
          while (performance.now() < untilMs) {
            const others = everybody.filter((index) => index !== paused);
            slowestMs = Math.max(slowestMs, await load.answered(others));
          }
        } finally {
          process.kill(pid, "SIGCONT");
        }
        await load.goesOnEverywhere();
      }
      if (!order.isSmoke && slowestMs > Math.max(OTHERS_WITHIN_MS, OTHERS_SLOWER * usualMs))
        slow.push(
          `The others stood still for ${Math.round(slowestMs)} ms, before for ${Math.round(usualMs)} ms`,
        );
      const waited = { "others waited ms": Math.round(slowestMs), "before ms": Math.round(usualMs) };
      return { faults: slow, figures: { pauses: size, ...waited } };
    });
    return { faults: exceptTakenOver(faults), figures };
  },
};

export const manyExpiredLease: Scenario = {
  name: "many-expired-lease",
  does: "the leases of running gateways end under load, {size} times: others take over, and each call is booked once",
  full: 10,
  smoke: 2,
  async run(order) {
    const { size, random } = order;
    const { faults, figures } = await underLoad(order, async ({ rows }, load): Promise<Outcome> => {
      for (let time = 0; time < size; time++) {
        await load.goesOn(random.between(1, CALLS_BEFORE));
        await rows("UPDATE leases SET ends_at_ms = 0 WHERE owner = (SELECT min(owner) FROM leases)");
        // Who takes over is gone as well, so that the next one has to.
        await rows("INSERT INTO leases VALUES ('nobody', 0) ON CONFLICT DO NOTHING");
        await rows("SELECT take_over_v1('nobody')");
        await load.goesOnEverywhere();
      }
      return { faults: [], figures: { leases: size } };
    });
    return { faults: exceptTakenOver(faults), figures };
  },
};

export const postgresLocked: Scenario = {
  name: "postgres-locked",
  does: "somebody locks the book for three seconds under load, {size} times: 503 in time, and the gateways recover alone",
  full: 10,
  smoke: 1,
  run: (order) =>
    underLoad(order, ({ postgres }, load) =>
      awayTimes(order, load, {
        callsBefore: CALLS_BEFORE,
        async away() {
          const client = new pg.Client(postgres.url);
          await client.connect();
          await client.query("BEGIN; SELECT FROM book FOR UPDATE");
          await Bun.sleep(3_000);
          await client.query("ROLLBACK");
          await client.end();
        },
      }),
    ),
};

export const postgresReadOnly: Scenario = {
  name: "postgres-read-only",
  does: "PostgreSQL takes no writes for two seconds under load, {size} times: 503, and the gateways recover alone",
  full: 10,
  smoke: 1,
  run: (order) =>
    underLoad(order, ({ rows }, load) => {
      const set = async (value: "on" | "off") => {
        await rows(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
        await rows("SELECT pg_reload_conf()");
      };
      return awayTimes(order, load, {
        callsBefore: CALLS_BEFORE,
        async away() {
          await set("on");
          await Bun.sleep(2_000);
          await set("off");
        },
      });
    }),
};

/** So much slower may it become. */
const SLOWER = 1.2;

export const manyOldSnapshot: Scenario = {
  name: "many-old-snapshot",
  does: "somebody keeps a snapshot open for {size} s under load, as a dump does: calls are about as fast and as many",
  full: 600,
  smoke: 10,
  run: (order) =>
    underLoad(order, async ({ postgres }, load) => {
      const { size, isSmoke } = order;
      const measure = async () => {
        const from = load.received.length;
        await Bun.sleep(size * 1_000);
        const took = load.received
          .slice(from)
          .filter(({ isComplete }) => isComplete)
          .map(({ elapsedMs }) => elapsedMs)
          .toSorted((one, other) => one - other);
        return { calls: took.length, p99: took[Math.floor(took.length * 0.99)] ?? 0 };
      };
      await load.goesOn(CALLS_BEFORE);
      const before = await measure();
      const client = new pg.Client(postgres.url);
      await client.connect();
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM ledger_entries");
      const during = await measure();
      await client.end();
      const faults: string[] = [];
      if (!isSmoke && during.calls * SLOWER < before.calls)
        faults.push(`${during.calls} calls instead of ${before.calls}`);
      if (!isSmoke && during.p99 > before.p99 * SLOWER)
        faults.push(`99 % took ${Math.round(during.p99)} ms, before ${Math.round(before.p99)} ms`);
      const figures = { "calls before": before.calls, "calls during": during.calls };
      const p99 = { "p99 before ms": Math.round(before.p99), "p99 during ms": Math.round(during.p99) };
      return { faults, figures: { ...figures, ...p99 } };
    }),
};
