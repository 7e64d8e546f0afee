import { readdirSync } from "node:fs";
import { findScriptBudget, weighScripts } from "@/lib/dev/measure/weigh-scripts";
import { adminApi } from "../../support/clients/admin-api";
import { chatLine, createBatchClient } from "../../support/clients/batch-client";
import { callModel, fetchWithKey } from "../../support/clients/send";
import { expect, test } from "../../support/fixtures/test";
import { signIn } from "../../support/pages/sign-in";
import type { Gatehouse } from "../../support/programs/start-gatehouse";

test.use({ scene: "first-scripts" });
test.describe.configure({ timeout: 120_000 });

/** Every page of the console, as its folders name it: "/projects/[id]/keys". */
const pages = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith("/page.tsx"))
  .map((file) => file.split("/").slice(0, -1))
  .map((folders) => `/${folders.filter((folder) => !folder.startsWith("(")).join("/")}`);

test("no screen loads more script before it can be used than its kind may", async ({ page, gatehouse }) => {
  const examples = await makeExamples(gatehouse);
  const sizes = new Map<string, number>();
  const weigh = async (path: string) => {
    const get = (url: string) => page.request.get(url);
    return weighScripts(get, new URL(exampleOf(path, examples), gatehouse.consoleUrl), sizes);
  };
  // Those that lead on while nobody is signed in are weighed with a session.
  const weights = new Map<string, number | null>();
  for (const path of pages) weights.set(path, await weigh(path));
  await signIn(page, gatehouse);
  for (const path of pages) weights.set(path, weights.get(path) ?? (await weigh(path)));

  const weighed = [...weights].flatMap(([path, kb]) => (kb === null ? [] : [{ path, kb }]));
  expect(weighed.length).toBeGreaterThan(50);
  const over = weighed.filter(({ path, kb }) => kb > findScriptBudget(path));
  expect(over.map(({ path, kb }) => `${path}: ${kb.toFixed(1)} KB of ${findScriptBudget(path)}`)).toEqual([]);
});

type Examples = Readonly<Record<string, string>>;

/** An address of a page, with the ids of things that there are. */
function exampleOf(path: string, examples: Examples): string {
  return path.replaceAll(/(\/[a-z-]+)\/(\[\w+\])/g, (_, parent: string, parameter: string) => {
    const example = examples[`${parent}/${parameter}`];
    if (example === undefined) throw new Error(`There is no example for ${parent}/${parameter}.`);
    return `${parent}/${example}`;
  });
}

/** One of each thing that has a page. */
async function makeExamples(gatehouse: Gatehouse): Promise<Examples> {
  const api = adminApi(gatehouse);
  const first = async (list: string) => (await api.call<{ data: { id: string }[] }>("GET", list)).data[0]?.id;
  const project = await api.createProject("First scripts");
  const { value: key } = await api.createKey(project.id, "first");
  await callModel(gatehouse, key, "sandbox-echo");
  const task = await fetchWithKey(`${gatehouse.baseUrl}/chat/completions`, {
    key,
    body: { model: "sandbox-image", prompt: "A lighthouse" },
  });
  const { id: batch } = await createBatchClient({ baseUrl: gatehouse.baseUrl, key }).create([
    chatLine("one", "Hello"),
  ]);
  const { id: group } = await api.call<{ id: string }>("POST", "/groups", { name: "Night shift" });
  const { id: prompt } = await api.call<{ id: string }>("POST", `/projects/${project.id}/prompts`, {
    name: "Greets",
    content: {
      endpoint: "chat_completions",
      body: { messages: [{ role: "user", content: "Ahoy {{name}}" }] },
    },
  });
  const found = await Promise.all(
    Object.entries(lists).map(async ([path, list]) => [path, (await first(list)) ?? "none"] as const),
  );
  return {
    "/projects/[id]": project.id,
    "/limits/[model]": "sandbox-echo",
    "/rate-limits/[id]": "rl_sandbox-echo",
    "/models/[id]": "sandbox-echo",
    "/prompts/[prompt]": prompt,
    "/prompts/[id]": prompt,
    "/batches/[id]": batch,
    "/groups/[id]": group,
    "/tasks/[id]": ((await task.json()) as { id: string }).id,
    "/statements/[month]": new Date().toISOString().slice(0, 7),
    "/guide/[page]": "promises",
    ...Object.fromEntries(found),
  };
}

/** Pages of things that every organization has or that the scene made. */
const lists: Readonly<Record<string, string>> = {
  "/audit-logs/[id]": "/audit_logs",
  "/balance/[id]": "/ledger",
  "/members/[id]": "/users",
  "/providers/[id]": "/providers",
  "/requests/[id]": "/requests",
  "/roles/[id]": "/roles",
};
