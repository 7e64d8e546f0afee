import { procedures } from "@/lib/gateway/ledger/ticks/procedures.sql";
import { loadMany } from "../../many/load-many";
import { type ManyStage, startManyGateways } from "../../many/start-many-gateways";
import type { Scenario, ScenarioOrder } from "../../scenario";

const CONNECTIONS = 4;
const MAX_REPLIES_BETWEEN = 150;
const MAX_AWAY_MS = 1_500;
/** A call that begins while PostgreSQL is away is refused within this time. */
const REFUSED_WITHIN_MS = 2_000;
const BACK_WITHIN_MS = 10_000;

export const postgresKilled: Scenario = {
  name: "postgres-killed",
  does: "kill -9 of all of PostgreSQL under the load of three gateways, {size} times: 503, and they recover alone",
  full: 10,
  smoke: 1,
  async run(order) {
    const { faults, figures } = await killPostgres(order);
    return { faults, figures };
  },
};

/** Without it, nobody knows whether the row above would see a lost charge. */
export const answersTooEarly: Scenario = {
  name: "answers-too-early",
  does: "the same with ticks that answer before they are on disk, {size} times: the books must miss something",
  full: 10,
  smoke: 3,
  async run(order) {
    const { faults, figures } = await killPostgres(order, { isEarly: true });
    const missing = faults.filter((fault) => fault.includes("not charged")).length;
    return {
      faults: missing > 0 ? [] : ["No book missed what was answered too early", ...faults],
      figures: { ...figures, missing },
    };
  },
};

/** Ticks answer after their first commit, which nothing has written yet. */
async function forgetToWait({ rows }: ManyStage): Promise<void> {
  const whole = procedures.tick_v1;
  const early = whole.replace(/PERFORM pg_logical_emit_message.*;/, "");
  if (early === whole) throw new Error("The tick doesn't wait as this row expects");
  await rows(early);
}

async function killPostgres({ size, random }: ScenarioOrder, { isEarly = false } = {}) {
  const stage = await startManyGateways({ keyCount: CONNECTIONS });
  const { postgres } = stage;
  const load = loadMany(stage, { random });
  const faults: string[] = [];
  let slowestBackMs = 0;
  try {
    if (isEarly) await forgetToWait(stage);
    for (let kill = 0; kill < size; kill++) {
      await load.goesOn(random.between(1, MAX_REPLIES_BETWEEN));
      const goneAtMs = performance.now();
      await postgres.end("SIGKILL");
      await Bun.sleep(random.between(0, MAX_AWAY_MS));
      const isBackAtMs = performance.now();
      await postgres.start();
      const slow = load.received.filter(
        ({ beganAtMs, elapsedMs, isComplete }) =>
          !isComplete && beganAtMs > goneAtMs && beganAtMs < isBackAtMs && elapsedMs > REFUSED_WITHIN_MS,
      );
      for (const { elapsedMs, status } of slow)
        faults.push(
          `A call was answered ${status} after ${Math.round(elapsedMs)} ms while PostgreSQL was away`,
        );
      slowestBackMs = Math.max(slowestBackMs, await load.goesOnEverywhere(BACK_WITHIN_MS));
    }
    await load.goesOn(MAX_REPLIES_BETWEEN);
    const calls = await load.end();
    // A hold whose end was lost after its gateway was told of it stays for ever.
    if (!isEarly) await stage.settle();
    const { faults: missed, figures } = await stage.reconcile(calls);
    const refused = calls.filter(({ status }) => status === 503).length;
    const told = { kills: size, ...figures, "refused 503": refused, "back ms": Math.round(slowestBackMs) };
    return { faults: [...faults, ...missed], figures: told };
  } finally {
    void load.end();
    await stage.stop();
  }
}
