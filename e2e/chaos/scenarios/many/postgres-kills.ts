import { procedures } from "@/lib/gateway/ledger/ticks/procedures.sql";
import type { ManyStage } from "../../many/start-many-gateways";
import { awayTimes, underLoad } from "../../many/under-load";
import type { Scenario, ScenarioOrder } from "../../scenario";

const MAX_REPLIES_BETWEEN = 150;
const MAX_AWAY_MS = 1_500;

export const postgresKilled: Scenario = {
  name: "postgres-killed",
  does: "kill -9 of all of PostgreSQL under the load of three gateways, {size} times: 503, and they recover alone",
  full: 10,
  smoke: 1,
  run: (order) => underLoad(order, (stage, load) => endPostgres(order, stage, load, "SIGKILL")),
};

export const postgresRestart: Scenario = {
  name: "postgres-restart",
  does: "PostgreSQL restarted under the load of three gateways, {size} times: 503, and they recover alone",
  full: 10,
  smoke: 1,
  run: (order) => underLoad(order, (stage, load) => endPostgres(order, stage, load, "SIGINT")),
};

/** Without it, nobody knows whether the rows above would see a lost charge. */
export const answersTooEarly: Scenario = {
  name: "answers-too-early",
  does: "kills of PostgreSQL with ticks that answer before they are on disk, {size} times: the books must miss something",
  full: 10,
  smoke: 3,
  async run(order) {
    const { faults, figures } = await underLoad(
      order,
      async (stage, load) => {
        await forgetToWait(stage);
        return endPostgres(order, stage, load, "SIGKILL");
      },
      // A hold whose end was lost after its gateway was told of it stays for ever.
      { mustSettle: false },
    );
    const missing = faults.filter((fault) => fault.includes("not charged")).length;
    return {
      faults: missing > 0 ? [] : ["No book missed what was answered too early", ...faults],
      figures: { ...figures, missing },
    };
  },
};

function endPostgres(
  order: ScenarioOrder,
  { postgres }: ManyStage,
  load: Parameters<typeof awayTimes>[1],
  signal: "SIGKILL" | "SIGINT",
) {
  return awayTimes(order, load, {
    callsBefore: MAX_REPLIES_BETWEEN,
    async away() {
      await postgres.end(signal);
      await Bun.sleep(order.random.between(0, MAX_AWAY_MS));
      await postgres.start();
    },
  });
}

/** Ticks answer after their first commit, which nothing has written yet. */
async function forgetToWait({ rows }: ManyStage): Promise<void> {
  const whole = procedures.tick_v1;
  const early = whole.replace(/PERFORM pg_logical_emit_message.*;/, "");
  if (early === whole) throw new Error("The tick doesn't wait as this row expects");
  await rows(early);
}
