import { expect, test } from "bun:test";
import { fetchWithKey } from "@/e2e/support/clients/send";
import { serveForAll } from "@/e2e/support/gateways/serve-for-tests";
import type { ServedGateway } from "@/e2e/support/gateways/serve-gateway";
import { createMember, type Member } from "@/e2e/support/stored-data/create-member";
import type { SearchResult } from "@/lib/contract/operations/search/search";
import { testRequest } from "@/lib/gateway/database/testing/open-temporary-database";
import { newUser, UserCache } from "@/lib/gateway/people/members";
import { createUserStore } from "@/lib/gateway/people/user-store.sql";
import { openStoredData } from "../../support/gateways/served-database";

const MEMBERS = 1_500;
const members = {} as Record<"reader" | "tester" | "outsider", Member>;
let gateway: ServedGateway;
let shop: string;
let lab: string;
let labKey: { id: string; value: string };

async function ask<Reply>(method: string, path: string, body?: object, key = gateway.adminKey) {
  const reply = await fetchWithKey(`${gateway.baseUrl}${path}`, { method, key, body });
  return { status: reply.status, body: (await reply.json()) as Reply };
}

const make = async <Reply>(path: string, body: object, key?: string) =>
  (await ask<Reply>("POST", path, body, key)).body;

/** Returns the results as "kind name". */
async function search(text: string, key = gateway.adminKey, more = ""): Promise<string[]> {
  const query = `?text=${encodeURIComponent(text)}${more}`;
  const { body } = await ask<{ data: SearchResult[] }>("GET", `/organization/search${query}`, undefined, key);
  return body.data.map(({ kind, name }) => `${kind} ${name}`);
}

/** Members without a role and a session. */
async function createManyMembers(dataFolder: string) {
  const { reads, transactions, close } = await openStoredData(dataFolder);
  const users = createUserStore(reads);
  const { runtime } = gateway;
  const userCache = new UserCache();
  await transactions.run(testRequest.event, async (transaction) => {
    for (let index = 0; index < MEMBERS; index++) {
      const name = `person-${String(index).padStart(4, "0")}`;
      const email = `${name}@example.com`;
      await users.insert(transaction, newUser({ userCache, runtime }, { name, email }));
    }
  });
  await close();
}

const prompt = (name: string) => ({
  name,
  content: {
    endpoint: "chat_completions",
    body: { messages: [{ role: "user", content: "Summarize it." }] },
  },
});

serveForAll(async (served) => {
  gateway = served;
  shop = (await make<{ id: string }>("/organization/projects", { name: "Web shop" })).id;
  lab = (await make<{ id: string }>("/organization/projects", { name: "Lab" })).id;
  await gateway.restart(async () => {
    const { dataFolder, runtime } = gateway;
    await createManyMembers(dataFolder);
    members.reader = await createMember(
      dataFolder,
      "rea",
      [{ roleId: "role_reader", projectId: null }],
      runtime,
    );
    members.tester = await createMember(
      dataFolder,
      "tes",
      [{ roleId: "role_project_viewer", projectId: shop }],
      runtime,
    );
    members.outsider = await createMember(dataFolder, "out", [], runtime);
  });
  labKey = await make(`/organization/projects/${lab}/api_keys`, { name: "Centrifuge" });
  await make(`/organization/projects/${shop}/api_keys`, { name: "Centrifuge copy" });
  await make(`/organization/projects/${lab}/prompts`, prompt("Centrifuge protocol"));
});

test("the last of 1,500 members is found by name and by address, however many are named alike", async () => {
  expect(await search("person-1499")).toEqual(["member person-1499"]);
  expect(await search("PERSON-1499@")).toEqual(["member person-1499"]);
  expect(await search("person")).toHaveLength(5);
});

test("keys and prompts of every project are found, by name, id and last characters", async () => {
  const all = ["project_api_key Centrifuge", "project_api_key Centrifuge copy", "prompt Centrifuge protocol"];
  expect(await search("centrifuge")).toEqual(all);
  for (const text of [labKey.id, labKey.value.slice(-4)]) {
    const { body } = await ask<{ data: SearchResult[] }>("GET", `/organization/search?text=${text}`);
    expect(body.data).toContainEqual({
      object: "search_result",
      kind: "project_api_key",
      id: labKey.id,
      name: "Centrifuge",
      detail: `gk_live_…${labKey.value.slice(-4)}`,
      project: { id: lab, name: "Lab" },
    });
  }
});

test("models, providers, roles, projects and the limits of one project are found too", async () => {
  expect(await search("sandbox-ech")).toEqual(["model sandbox-echo"]);
  expect(await search("rl_sandbox-ech", gateway.adminKey, `&project_id=${lab}`)).toEqual([
    "rate_limit sandbox-echo",
  ]);
  expect(await search("finance")).toEqual(["role Finance"]);
  expect(await search("web sh")).toEqual(["project Web shop"]);
  expect(await search("sandbox")).toContain("provider sandbox");
});

test("nobody finds what they may not read, and another’s unshared prompt neither", async () => {
  const { reader, tester, outsider } = members;
  expect(await search("centrifuge", reader.token)).toEqual([
    "project_api_key Centrifuge",
    "project_api_key Centrifuge copy",
  ]);
  expect(await search("centrifuge", tester.token)).toEqual(["project_api_key Centrifuge copy"]);
  expect(await search("person-0001", tester.token)).toEqual([]);
  expect(await search("lab", tester.token)).toEqual([]);
  for (const text of ["centrifuge", "person", "web", "sandbox", "finance", "a"]) {
    expect(await search(text, outsider.token)).toEqual([]);
  }
  const rates = `&project_id=${lab}`;
  expect(await search("rl_sandbox-echo", tester.token, rates)).toEqual([]);
});

test("a project’s key finds nothing of another project, and an archived project is not found", async () => {
  const found = await search("centrifuge", labKey.value);
  expect(found.filter((name) => name.includes("copy"))).toEqual([]);
  const { id } = await make<{ id: string }>("/organization/projects", { name: "Gone soon" });
  await make(`/organization/projects/${id}/api_keys`, { name: "Gone soon too" });
  expect(await search("gone soon")).toHaveLength(2);
  await make(`/organization/projects/${id}/archive`, {});
  expect(await search("gone soon")).toEqual([]);
});

test.each(["", "   ", "x".repeat(201)])("a text of this length is refused: %p", async (text) => {
  const { status, body } = await ask<{ error: { param: string } }>(
    "GET",
    `/organization/search?text=${encodeURIComponent(text)}`,
  );
  expect([status, body.error.param]).toEqual([400, "text"]);
});
