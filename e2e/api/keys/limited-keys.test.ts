import { describe, expect, test } from "bun:test";
import { type KeyEndpoint, keyEndpoints, modelEndpoints } from "@/lib/contract/access/key-scopes";
import type { Operation } from "@/lib/contract/operation";
import { operationTable } from "@/lib/contract/operation-table";
import { fetchWithKey } from "../../support/clients/send";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";

/** The only model that every limited key here may call. */
const MODEL = "sandbox-echo";
const models: readonly (readonly KeyEndpoint[])[] = [...keyEndpoints.map((one) => [one]), modelEndpoints];
const nameOf = (endpoints: readonly KeyEndpoint[]) =>
  endpoints === modelEndpoints ? "a model" : endpoints.join();
const values = new Map<string, string>();
/** Names of what no limited key may read. */
const hidden: string[] = [];
let gateway: ServedGateway;

serveForAll(async (served) => {
  gateway = served;
  const project = `/organization/projects/${gateway.projectId}`;
  for (const endpoints of models) {
    const limit = endpoints === modelEndpoints ? {} : { endpoints };
    const draft = { name: `for ${nameOf(endpoints)}`, models: [MODEL], ...limit };
    const { value } = await gateway.admin<{ value: string }>("POST", `${project}/api_keys`, draft);
    values.set(nameOf(endpoints), value);
  }
  await gateway.admin("POST", "/organization/projects", { name: "Hidden project" });
  await gateway.admin("POST", `${project}/api_keys`, { name: "Hidden key" });
  await gateway.admin("POST", "/organization/groups", { name: "Hidden group" });
  await gateway.admin("POST", `${project}/prompts`, {
    name: "Hidden prompt",
    is_shared: true,
    content: { endpoint: "messages", body: { messages: [{ role: "user", content: "Hidden text" }] } },
    cases: [],
  });
  await gateway.admin("POST", "/organization/models", {
    id: "hidden-model",
    family: "chat",
    rate: "1",
    price: { input_per_1m: "1", output_per_1m: "1" },
    routes: [{ provider: "sandbox", model: MODEL }],
  });
  hidden.push("Hidden project", "Hidden key", "Hidden group", "Hidden prompt", "Hidden text", "hidden-model");
});

async function ask(key: string | undefined, { method, path, body }: Operation) {
  const filled = path
    .replace("{project_id}", gateway.projectId)
    .replace("{model_id}", "hidden-mode")
    .replace(/\{\w+\}/g, "none_1");
  const reply = await fetchWithKey(
    `${gateway.baseUrl}${filled}${path.endsWith("/search") ? "?text=hidden" : ""}`,
    {
      method,
      key,
      ...(method === "POST" && { body: body ? { no_such_field: true } : {} }),
    },
  );
  const text = await reply.text();
  return {
    text,
    isRefused: reply.status === 403 && text.includes("outside_key_scope"),
    status: reply.status,
  };
}

describe.each(models.map((endpoints) => [nameOf(endpoints), endpoints] as const))(
  "a key that is limited to %s",
  (name, endpoints) => {
    test("is refused every operation that the table doesn't open to it, and reads no name beyond its scope", async () => {
      for (const operation of operationTable) {
        const { id, permission, limitedKeys } = operation;
        const isOpenToAll = typeof permission === "object" && permission.open === "to everyone";
        const isOpen = limitedKeys === "all" || limitedKeys?.some((one) => endpoints.includes(one)) === true;
        const { text, isRefused, status } = await ask(values.get(name), operation);
        expect([id, isRefused]).toEqual([id, !isOpen && !isOpenToAll]);
        expect([id, status]).not.toEqual([id, 401]);
        expect([id, hidden.filter((one) => text.includes(one))]).toEqual([id, []]);
      }
    });
  },
);

test("a key without limits finds what its limited siblings are refused", async () => {
  const search = operationTable.find(({ id }) => id === "searchObjects") as Operation;
  expect((await ask(gateway.adminKey, search)).text).toContain("Hidden project");
});

test("no operation is open to a limited key by default", () => {
  const open = operationTable.filter(({ limitedKeys }) => limitedKeys === "all").map(({ id }) => id);
  // Each tells a key of itself, of its own calls, or of the models that it may call.
  expect(open.toSorted()).toEqual([
    "listModels",
    "listOwnRequests",
    "listOwnUsage",
    "listOwnUsageSums",
    "retrieveMe",
    "retrieveModel",
    "retrieveOwnCharge",
    "retrieveOwnRequest",
    "retrieveOwnUsageSummary",
  ]);
});
