import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fetchWithKey } from "@/e2e/support/clients/send";
import { until } from "@/e2e/support/clients/until";
import { type Gateway, startGateway } from "@/e2e/support/programs/start-gateway";
import { writeConfiguration } from "@/e2e/support/programs/write-configuration";
import { type S3Failure, type S3Server, startS3Server } from "@/e2e/support/servers/s3-server";
import { examine } from "@/lib/gateway/doctor/examine-outputs";
import { findLedgerFaults } from "../../books/find-ledger-faults";
import { openHolds, readLedger } from "../../books/read-ledger";
import { createTask, openTaskProject } from "../../clients/order-tasks";
import { killWhile } from "../../kill-while";
import type { Scenario, ScenarioOrder } from "../../scenario";

const TASKS_FOR_A_KILL = 20;
/** A failed upload is repeated after 5 seconds, later ones after up to a minute. */
const TIMEOUT_MS = 180_000;
const PREFIX = "chaos";
/** Several pieces, so that an upload can fail half-way. */
const PICTURE = { model: "sandbox-image", size: "512x512" };

const failures: readonly [null, ...S3Failure[]] = [
  null,
  "cut",
  "slow",
  { status: 507, code: "InsufficientStorage", isLate: true },
  { status: 503, code: "SlowDown" },
  { status: 403, code: "AccessDenied" },
];

export const bucketFails: Scenario = {
  name: "bucket-fails",
  does: "{size} images that move to a bucket whose server cuts uploads, is slow, full, overloaded, refuses or is stopped, and kill -9 of the gateway once for every 20 of them",
  full: 200,
  smoke: 10,
  async run({ size, random }) {
    const server = await startS3Server();
    const gateway = await startGateway({
      GATEHOUSE_OPENING_BALANCE: "100000.00",
      GATEHOUSE_CONFIG: writeConfiguration(JSON.stringify({ outputs: server.outputs(PREFIX) })),
    });
    try {
      const { key } = await openTaskProject(gateway);
      server.failWith(({ method }) => (method === "PUT" ? random.pick<S3Failure | null>(failures) : null));
      const kills = Math.max(2, Math.round(size / TASKS_FOR_A_KILL));
      const ordering = orderImages(size, { gateway, key });
      const outages = stopNowAndThen(server, { until: ordering, random });
      const ids = await killWhile(gateway, { kills, withinMs: 2_000, random }, ordering);
      const stops = await outages;
      const path = join(gateway.dataFolder, "gatehouse.sqlite");
      await until("every hold is resolved", () => openHolds(readLedger(path)) === 0, TIMEOUT_MS);
      server.failWith(() => null);
      const missing = () => ids.filter((id) => !server.objects.has(`${PREFIX}/${id}/0`));
      await until("every file is in the bucket", () => missing().length === 0, TIMEOUT_MS);
      const ledger = readLedger(path);
      const charges = ledger.entries.filter(({ kind }) => kind === "charge").length;
      const faults = [
        ...(await Promise.all(ids.map((id) => findFileFaults(id, { gateway, key, server })))).flat(),
        ...(charges === ids.length ? [] : [`${charges} charges for ${ids.length} images`]),
        ...strangers(server, ids),
        ...findLedgerFaults(ledger),
        ...examine(path, Date.now()).flatMap((finding) => finding.faults),
      ];
      const uploads = server.visits.filter((visit) => visit.startsWith("PUT ")).length;
      return { faults, figures: { images: ids.length, kills, stops, uploads } };
    } finally {
      await gateway.stop();
      await server.stop();
    }
  },
};

async function orderImages(count: number, { gateway, key }: { gateway: Gateway; key: string }) {
  const ids: string[] = [];
  for (let task = 0; task < count; task++) {
    const body = { ...PICTURE, prompt: `image ${task}`, sandbox: { takes_ms: 0 } };
    ids.push(await createTask(gateway, key, body, `task-${task}`));
  }
  return ids;
}

/**
 * Stops the server for a while again and again.
 * @returns how often.
 */
async function stopNowAndThen(
  server: S3Server,
  { until: ordering, random }: { until: Promise<unknown>; random: ScenarioOrder["random"] },
): Promise<number> {
  const orders = { areOver: false };
  void ordering.finally(() => (orders.areOver = true)).catch(() => {});
  let stops = 0;
  do {
    // Uploads may be in any state by then.
    await setTimeout(random.between(0, 1_000));
    await server.stop();
    stops++;
    await setTimeout(random.between(0, 500));
    await server.start();
  } while (!orders.areOver);
  return stops;
}

/** Checks that a file is served whole, and that the bucket has the same bytes. */
async function findFileFaults(
  id: string,
  { gateway, key, server }: { gateway: Gateway; key: string; server: S3Server },
): Promise<string[]> {
  const reply = await fetchWithKey(`${gateway.baseUrl}/tasks/${id}/output/0`, { key });
  const served = Buffer.from(await reply.arrayBuffer());
  if (reply.status !== 200) return [`${id}: its file is answered with ${reply.status}`];
  const stored = server.objects.get(`${PREFIX}/${id}/0`)?.bytes;
  return stored?.equals(served) ? [] : [`${id}: the bucket has ${stored?.length} of ${served.length} bytes`];
}

/** Objects that no task has. */
function strangers(server: S3Server, ids: readonly string[]): string[] {
  const known = new Set(ids.map((id) => `${PREFIX}/${id}/0`));
  return [...server.objects.keys()]
    .filter((key) => !known.has(key))
    .map((key) => `${key} belongs to no task`);
}
