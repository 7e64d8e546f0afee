import { rmSync } from "node:fs";
import { join } from "node:path";
import { procedures } from "@/lib/gateway/ledger/ticks/procedures.sql";
import { type PostgresCluster, startPostgres } from "@/lib/gateway/testing/postgres/postgres-cluster";
import { until } from "../../../support/clients/until";
import { startCutProxy } from "../../../support/servers/cut-proxy";
import type { ManyStage } from "../../many/start-many-gateways";
import { awayTimes, underLoad } from "../../many/under-load";
import type { Outcome, Scenario, ScenarioOrder } from "../../scenario";
import { fill, mountDisk, unmountDisk } from "../money/disk-full";

const MAX_REPLIES_BETWEEN = 150;
const MAX_AWAY_MS = 1_500;
const DISK_MEGABYTES = 256;
const FULL_MS = 4_000;
/** What lets a cluster fit on a small disk. */
const SMALL = { max_wal_size: "64MB", min_wal_size: "32MB", checkpoint_timeout: "30s", fsync: "off" };

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

export const postgresDiskFull: Scenario = {
  name: "postgres-disk-full",
  does: "the disk of PostgreSQL is filled to the last byte under the load of three gateways, {size} times: 503 in time, and they recover alone once there is room",
  full: 5,
  smoke: 0,
  async run(order) {
    const disk = mountDisk(DISK_MEGABYTES);
    if (disk === null) return { faults: [], figures: { skipped: "no disk can be mounted by this user" } };
    const filler = join(disk, "filler");
    try {
      return await underLoad(
        order,
        ({ postgres }, load) =>
          awayTimes(order, load, {
            callsBefore: MAX_REPLIES_BETWEEN,
            async away() {
              fill(disk, filler);
              await Bun.sleep(FULL_MS);
              rmSync(filler);
              // It ends by itself where there is no room for its log, and is started again as by a container engine.
              await postgres.start();
            },
          }),
        { startPostgres: () => startPostgres({ settings: SMALL, disk }) },
      );
    } finally {
      unmountDisk(disk);
    }
  },
};

export const postgresStandby: Scenario = {
  name: "postgres-standby",
  does: "PostgreSQL is killed under the load of three gateways, and its synchronous standby promoted in its place, {size} times: nothing that was answered is forgotten",
  full: 5,
  smoke: 0,
  async run(order) {
    const outcomes: Outcome[] = [];
    for (let time = 0; time < order.size; time++) outcomes.push(await promoteStandby(order));
    const sum = (name: string) =>
      outcomes.reduce((total, { figures }) => total + Number(figures[name] ?? 0), 0);
    return {
      faults: outcomes.flatMap(({ faults }) => faults),
      figures: {
        promotions: order.size,
        calls: sum("calls"),
        "refused 503": sum("refused 503"),
        "back ms": outcomes.map(({ figures }) => figures["back ms"]).join(", "),
      },
    };
  },
};

async function promoteStandby(order: ScenarioOrder): Promise<Outcome> {
  const primary = await startPostgres();
  const { hostname: host, port, username, pathname } = new URL(primary.url);
  const target = { host, port: Number(port) };
  const proxy = await startCutProxy(target);
  let standby: PostgresCluster | undefined;
  const stop = async () => {
    proxy.stop();
    await standby?.stop();
    await primary.stop();
  };
  const reached = { ...primary, url: `postgres://${username}@127.0.0.1:${proxy.port}${pathname}`, stop };
  return underLoad(
    { ...order, size: 1 },
    async ({ rows }, load) => {
      standby = await startPostgres({ primary });
      await rows("ALTER SYSTEM SET synchronous_standby_names = '*'");
      await rows("SELECT pg_reload_conf()");
      await until("the standby is synchronous", async () => {
        const [row] = await rows("SELECT count(*) AS n FROM pg_stat_replication WHERE sync_state = 'sync'");
        return row?.n === "1";
      });
      return awayTimes({ ...order, size: 1 }, load, {
        callsBefore: MAX_REPLIES_BETWEEN,
        async away() {
          await primary.end("SIGKILL");
          if (standby) target.port = Number(new URL(standby.url).port);
          await rows("SELECT pg_promote()");
        },
      });
    },
    { startPostgres: async () => reached },
  );
}

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
