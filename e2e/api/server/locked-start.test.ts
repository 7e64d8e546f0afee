import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { startGateway } from "../../support/programs/start-gateway";

test("a start that has a dead gateway's hold to resolve says in one line that the database is locked", async () => {
  const gateway = await startGateway();
  const ask = async (method: string, path: string, body?: object) => {
    const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, { method, key: gateway.adminKey, body });
    return (await reply.json()) as { data: { id: string }[]; value: string; held: string };
  };
  const { data } = await ask("GET", "/organization/projects");
  const { value } = await ask("POST", `/organization/projects/${data[0]?.id}/api_keys`, { name: "Hanging" });
  void fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: value,
    body: { model: "sandbox-hang", messages: [{ role: "user", content: "Hello" }] },
  }).catch(() => {});
  await until("the call is held", async () => (await ask("GET", "/organization/balance")).held !== "0.00");
  const other = new Database(join(gateway.dataFolder, "gatehouse.sqlite"));
  other.run("BEGIN IMMEDIATE");
  const refused = await gateway.restart("SIGKILL").catch((error: unknown) => String(error));
  other.close();
  expect(refused).toContain("Another program has locked the database in");
  expect(refused).not.toContain("    at ");
  await gateway.restart("SIGKILL");
  expect((await ask("GET", "/organization/balance")).held).toBe("0.00");
  await gateway.stop();
});
