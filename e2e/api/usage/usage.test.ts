import { expect, test } from "bun:test";
import type OpenAI from "openai";
import { DAY_MS, DAY_S } from "@/lib/contract/durations";
import { expectRefusals, officialClient } from "../../support/clients/official-client";
import { serveForEach } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { createRoleKey } from "../../support/stored-data/create-role-key";

/** The start of the gateway's clock: 2027-01-15, 08:00 UTC. */
const START = 1_800_000_000;
const MIDNIGHT = START - (START % DAY_S);

let gateway: ServedGateway;
let usage: OpenAI["admin"]["organization"]["usage"];

serveForEach((served) => {
  gateway = served;
  usage = createClient(gateway.adminKey).admin.organization.usage;
});

function createClient(key: string): OpenAI {
  return officialClient(gateway.baseUrl, key);
}

/**
 * The answer has as many words as the prompt. At 1.00 and 2.00 per million and a rate of 0.5, each costs 1,500
 * nano-units.
 */
async function ask(content: string, { key = gateway.key, model = "sandbox-echo", project = "" } = {}) {
  const headers = { "openai-project": project };
  const messages = [{ role: "user" as const, content }];
  const call = createClient(key).chat.completions.create({ model, messages }, { headers });
  return (await call).usage;
}

test("completions are counted in the bucket they came in, page after page", async () => {
  const first = await ask("one two three");
  gateway.pass(2 * DAY_MS);
  const [second, third] = [await ask("one"), await ask("one two")];
  const page = await usage.completions({ start_time: MIDNIGHT + 60, limit: 2 });
  expect(page).toEqual({
    object: "page",
    data: [
      {
        object: "bucket",
        start_time: MIDNIGHT + 60,
        end_time: MIDNIGHT + DAY_S,
        results: [
          {
            object: "organization.usage.completions.result",
            input_cached_tokens: 0,
            input_audio_tokens: 0,
            output_audio_tokens: 0,
            input_tokens: first?.prompt_tokens ?? 0,
            output_tokens: first?.completion_tokens ?? 0,
            num_model_requests: 1,
            project_id: null,
            user_id: null,
            api_key_id: null,
            model: null,
            batch: null,
            service_tier: null,
            api_source: null,
          },
        ],
      },
      { object: "bucket", start_time: MIDNIGHT + DAY_S, end_time: MIDNIGHT + 2 * DAY_S, results: [] },
    ],
    has_more: true,
    next_page: expect.stringMatching(/^page_/),
  });
  const last = await usage.completions({ start_time: MIDNIGHT + 60, page: page.next_page ?? "" });
  expect(last).toMatchObject({ has_more: false, next_page: null });
  expect(last.data.length).toBe(1);
  expect(last.data[0]?.end_time).toBe(START + 2 * DAY_S + 1);
  expect(last.data[0]?.results).toMatchObject([
    {
      num_model_requests: 2,
      input_tokens: (second?.prompt_tokens ?? 0) + (third?.prompt_tokens ?? 0),
      output_tokens: (second?.completion_tokens ?? 0) + (third?.completion_tokens ?? 0),
    },
  ]);
});

test("hours and minutes are cut on the hour and the minute", async () => {
  await ask("one");
  gateway.pass(61_000);
  await ask("one two");
  const minutes = await usage.completions({ start_time: START - 30, bucket_width: "1m" });
  expect(minutes.data.map(({ start_time }) => start_time)).toEqual([START - 30, START, START + 60]);
  expect(minutes.data.map(({ results }) => results.length)).toEqual([0, 1, 1]);
  const hours = await usage.completions({
    start_time: START - 1,
    end_time: START + 7_200,
    bucket_width: "1h",
  });
  expect(hours.data.map(({ results }) => results)).toMatchObject([[], [{ num_model_requests: 2 }], []]);
});

test("usage is grouped and filtered by project, key, model and batch", async () => {
  const { projects } = createClient(gateway.adminKey).admin.organization;
  gateway.pass(1);
  const other = (await projects.create({ name: "Other" })).id;
  const account = await projects.serviceAccounts.create(other, { name: "Theirs" });
  const theirs = account.api_key?.value ?? "";
  await ask("one");
  await ask("one two", { key: theirs });
  await ask("one two", { key: theirs, model: "sandbox-chat" });
  await ask("refused", { key: theirs, model: "sandbox-429" }).catch(() => {});
  const query = { start_time: START };
  const readResults = async (more: object) =>
    (await usage.completions({ ...query, ...more })).data[0]?.results;
  const once = { num_model_requests: 1, batch: false, api_key_id: null, user_id: null };
  expect(await readResults({ group_by: ["project_id", "model", "batch"] })).toMatchObject([
    { project_id: gateway.projectId, model: "sandbox-echo", ...once },
    { project_id: other, model: "sandbox-429", ...once },
    { project_id: other, model: "sandbox-chat", ...once },
    { project_id: other, model: "sandbox-echo", ...once },
  ]);
  const byKey = await readResults({ group_by: ["api_key_id", "user_id"], project_ids: [other] });
  expect(byKey).toMatchObject([
    { api_key_id: account.api_key?.id, user_id: null, project_id: null, num_model_requests: 3 },
  ]);
  expect(await readResults({ models: ["sandbox-echo"] })).toMatchObject([{ num_model_requests: 2 }]);
  expect(await readResults({ api_key_ids: [account.api_key?.id], models: ["sandbox-echo"] })).toMatchObject([
    { num_model_requests: 1 },
  ]);
  expect(await readResults({ batch: false })).toMatchObject([{ num_model_requests: 4 }]);
  for (const nothing of [{ batch: true }, { user_ids: ["user_x"] }, { project_ids: ["proj_none"] }]) {
    expect(await readResults(nothing)).toEqual([]);
  }
});

test("images and audio have buckets, and none of the chat models' calls in them", async () => {
  await ask("one");
  const query = { start_time: START, group_by: ["model" as const] };
  for (const listed of [
    usage.images(query),
    usage.audioSpeeches(query),
    usage.audioTranscriptions({ ...query, models: ["sandbox-echo"] }),
  ]) {
    const { data } = await listed;
    expect(data).toEqual([{ object: "bucket", start_time: START, end_time: START + 1, results: [] }]);
  }
});

test("costs are the ledger's charges, to the nano-unit", async () => {
  await ask("one two three");
  await ask("one two", { model: "sandbox-chat" });
  type Ledger = { data: { amount: string; model: string }[] };
  const { data: charges } = await gateway.admin<Ledger>("GET", "/organization/ledger?kind=charge");
  const [chat, echo] = charges.map(({ amount }) => Number(amount)) as [number, number];
  const total = Number((chat + echo).toFixed(9));
  const query = { start_time: MIDNIGHT };
  expect((await usage.costs(query)).data).toEqual([
    {
      object: "bucket",
      start_time: MIDNIGHT,
      end_time: START + 1,
      results: [
        {
          object: "organization.costs.result",
          amount: { value: total, currency: "usd" },
          project_id: null,
          user_id: null,
          api_key_id: null,
          line_item: null,
          quantity: null,
          quantity_unit: null,
          api_source: null,
        },
      ],
    },
  ]);
  const items = await usage.costs({ ...query, group_by: ["line_item"] });
  const results = (items.data[0]?.results ?? []) as { line_item: string; amount: { value: number } }[];
  expect(results.map(({ line_item }) => line_item).toSorted()).toEqual([
    "sandbox-chat, input_tokens",
    "sandbox-chat, output_tokens",
    "sandbox-echo, input_tokens",
    "sandbox-echo, output_tokens",
  ]);
  expect(Number(results.reduce((sum, { amount }) => sum + amount.value, 0).toFixed(9))).toBe(total);
  const one = await usage.costs({
    ...query,
    line_items: ["sandbox-echo, input_tokens"],
    group_by: ["project_id"],
  });
  const input = results.find(({ line_item }) => line_item === "sandbox-echo, input_tokens");
  expect(one.data[0]?.results).toMatchObject([
    { project_id: gateway.projectId, amount: input?.amount, line_item: null },
  ]);
});

test("refuses invalid queries for usage and costs with the reason", async () => {
  const query = { start_time: START };
  const own = createClient(gateway.key).admin.organization.usage;
  await expectRefusals([
    [usage.completions({} as never), { status: 400, param: "start_time", code: "missing_field" }],
    [usage.completions({ start_time: -1 }), { status: 400, param: "start_time" }],
    [usage.completions({ ...query, end_time: START }), { status: 400, param: "end_time" }],
    [usage.completions({ ...query, bucket_width: "1w" } as never), { status: 400, param: "bucket_width" }],
    [usage.completions({ ...query, limit: 32 }), { status: 400, param: "limit" }],
    [usage.completions({ ...query, limit: 0 }), { status: 400, param: "limit" }],
    [usage.completions({ ...query, limit: 169, bucket_width: "1h" }), { status: 400, param: "limit" }],
    [usage.completions({ ...query, limit: 1_441, bucket_width: "1m" }), { status: 400, param: "limit" }],
    [usage.completions({ ...query, page: "page_x" }), { status: 400, param: "page" }],
    [usage.images({ ...query, group_by: ["size"] }), { status: 400, param: "group_by.0" }],
    [usage.images({ ...query, sizes: ["256x256"] }), { status: 400, param: "sizes" }],
    [usage.costs({ ...query, bucket_width: "1h" } as never), { status: 400, param: "bucket_width" }],
    [usage.costs({ ...query, limit: 181 }), { status: 400, param: "limit" }],
    [createClient("gk_admin_no").admin.organization.usage.costs(query), { status: 401 }],
    [own.completions(query), { status: 403, code: "missing_permission" }],
    [own.costs(query), { status: 403, code: "missing_permission" }],
  ]);
});

test("Finance and Reader see usage and costs, a prompt tester does not", async () => {
  const keys: Record<string, string> = {};
  await gateway.restart(async () => {
    for (const role of ["role_finance", "role_reader", "role_prompt_tester"]) {
      keys[role] = await createRoleKey(gateway.dataFolder, role);
    }
  });
  const usageAs = (role: string) => createClient(keys[role] ?? "").admin.organization.usage;
  for (const role of ["role_finance", "role_reader"]) {
    expect((await usageAs(role).costs({ start_time: START })).object).toBe("page");
    expect((await usageAs(role).completions({ start_time: START })).object).toBe("page");
  }
  const tester = usageAs("role_prompt_tester").costs({ start_time: START });
  await expectRefusals([[tester, { status: 403, error: { permission: "api.usage.read" } }]]);
});
