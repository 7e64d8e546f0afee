import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Operation } from "@/lib/contract/operation";
import { operations, operationTable } from "@/lib/contract/operation-table";
import { startPostgres } from "@/lib/gateway/testing/postgres/postgres-cluster";
import { send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { withBucket } from "../../support/gateways/served-database";
import { everyChange } from "../../support/operations/every-change";

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let gateway: ServedGateway;
const made: Record<string, string> = {};

beforeAll(async () => {
  postgres = await startPostgres();
  const config = await withBucket();
  gateway = await serveGateway({ databaseUrl: postgres.url, config, isExpectedFault: () => true });
  Object.assign(made, {
    project_id: gateway.projectId,
    admin_key: gateway.adminKey,
    rate_limit_id: "rl_sandbox-echo",
    default_id: "organization",
    model_id: "sandbox-echo",
  });
  await postgres.end("SIGKILL");
}, 60_000);

afterAll(async () => {
  await gateway?.close();
  await postgres?.stop();
}, 60_000);

const ask = ({ method, path }: Pick<Operation, "method" | "path">, body?: object) =>
  send(`${gateway.baseUrl}${path.replace(/\{(\w+)\}/g, (_, name: string) => made[name] ?? "none")}`, {
    method,
    key: gateway.adminKey,
    body,
  });

test("a key can't be created while PostgreSQL is away, and the reply says so and when to ask again", async () => {
  const { status, error, headers } = await ask(operations.createProjectApiKey, { name: "Another" });
  expect([status, error.type, error.code]).toEqual([503, "service_error", "store_unavailable"]);
  expect(error.message).toBe("The gateway can't reach its store. Try again in a second.");
  expect(headers.get("retry-after")).toBe("1");
});

test("no operation is an internal error while PostgreSQL is away", async () => {
  const bodies = new Map<string, object | undefined>(everyChange.map(({ id, body }) => [id, body?.(made)]));
  const failed: string[] = [];
  let refused = 0;
  for (const operation of operationTable) {
    const { status, error } = await ask(operation, bodies.get(operation.id) ?? (operation.body && {}));
    if (status >= 500 && error?.code !== "store_unavailable")
      failed.push(`${operation.id}: ${status} ${error?.code}`);
    if (error?.code === "store_unavailable") refused++;
  }
  expect(failed).toEqual([]);
  expect(refused).toBeGreaterThan(80);
});

test("once PostgreSQL is back, the next request is answered", async () => {
  await postgres.start();
  expect((await ask(operations.createProjectApiKey, { name: "Another" })).status).toBe(200);
});
