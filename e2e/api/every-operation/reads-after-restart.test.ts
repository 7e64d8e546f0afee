import { afterAll, beforeAll, expect, test } from "bun:test";
import { operations, operationTable } from "@/lib/contract/operation-table";
import { findMediaType } from "@/lib/contract/raw-reply";
import { send } from "../../support/clients/send";
import { serveStaffedGateway } from "../../support/gateways/serve-staffed-gateway";
import { type CreatedIds, everyChange, makeFirst } from "../../support/operations/every-change";

let staffed: Awaited<ReturnType<typeof serveStaffedGateway>>;
/** Ids by their names in paths. */
let made: CreatedIds;

beforeAll(async () => {
  staffed = await serveStaffedGateway();
  made = await makeFirst(staffed);
});
afterAll(() => staffed.gateway.close());

/** Tells how long it took, and what was verified before. */
const OF_THE_PROCESS = ["retrieveReconciliation"];
const reads = operationTable.filter(
  ({ id, method, reply }) =>
    method === "GET" && findMediaType(reply) === null && !OF_THE_PROCESS.includes(id),
);

/** The path with the ids of its objects; null if there is none of them. */
function fillPath(path: string): string | null {
  const filled = path.replace(/\{(\w+)\}/g, (parameter, name: string) => made[name] ?? parameter);
  return filled.includes("{") ? null : filled;
}

function ask(method: string, path: string, body?: object) {
  const { baseUrl, adminKey } = staffed.gateway;
  return send(baseUrl + path, { method, key: adminKey, body });
}

/** Makes every change that takes nothing away, so that there is something to read. */
async function makeChanges(): Promise<void> {
  for (const { id, body, keeps } of everyChange) {
    const { method, path } = operations[id];
    const filled = fillPath(path);
    if (method === "DELETE" || id === "archiveProject" || filled === null) continue;
    staffed.gateway.pass(1_000);
    const done = await ask(method, filled, body?.(made));
    if (done.error.code !== "already_exists") expect([id, done.error]).toEqual([id, {}]);
    if (keeps) made[keeps] = String(done.body.id ?? "");
  }
}

async function readEverything(): Promise<Map<string, object>> {
  const replies = new Map<string, object>();
  for (const { id, path } of reads) {
    const filled = fillPath(path);
    const reply = filled === null ? null : await ask("GET", filled);
    if (reply?.status === 200) replies.set(id, reply.body);
  }
  return replies;
}

test("after all changes each read answers as after a restart, when the memory has nothing but what is stored", async () => {
  await makeChanges();
  const before = await readEverything();
  expect(before.size).toBeGreaterThan(60);
  await staffed.gateway.restart();
  expect(await readEverything()).toEqual(before);
});
