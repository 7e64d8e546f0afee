import { expect, test } from "bun:test";
import { DAY_MS, DAY_S } from "@/lib/contract/durations";
import { joinMember } from "../../support/clients/join-member";
import { officialClient } from "../../support/clients/official-client";
import { type Answer, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { serveForAll } from "../../support/gateways/serve-for-tests";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { queryDatabase } from "../../support/stored-data/query-database";

/** A day before the gateway's clock begins. */
const START = 1_800_000_000 - DAY_S;
let gateway: ServedGateway;

serveForAll((served) => {
  gateway = served;
});

const ask = async (content: string, key: string) => {
  const headers = { "openai-project": gateway.projectId };
  const messages = [{ role: "user" as const, content }];
  const client = officialClient(gateway.baseUrl, key);
  return (await client.chat.completions.create({ model: "sandbox-echo", messages }, { headers })).usage;
};

const readUsage = (path: string, key: string, query = "") =>
  send(`${gateway.baseUrl}/organization${path}?start_time=${START}${query}`, { key });

const readResults = ({ body }: Answer) =>
  (body.data as { results: object[] }[]).flatMap(({ results }) => results);

test("every caller sees only their own usage", async () => {
  const tester = await joinMember(gateway, "tester@example.com", { role: "prompt_tester" });
  await ask("from a program", gateway.key);
  const said = await ask("mine alone", tester.token);
  const mine = { num_model_requests: 1, output_tokens: said?.completion_tokens, user_id: null };
  expect(readResults(await readUsage("/me/usage", tester.token))).toMatchObject([mine]);
  expect(readResults(await readUsage("/me/usage", gateway.key))).toMatchObject([{ num_model_requests: 1 }]);
  expect(readResults(await readUsage("/me/usage", gateway.adminKey))).toEqual([]);
  const others = await readUsage("/me/usage", tester.token, "&user_ids=user_other");
  expect(others.error.param).toBe("user_ids");
  const all = await readUsage("/usage/completions", tester.token);
  expect(all.error.permission).toBe("api.usage.read");
});

test("a range of centuries costs no more than what there is to tell", async () => {
  const keys = `/organization/projects/${gateway.projectId}/api_keys`;
  const { value: key } = await gateway.admin<{ value: string }>("POST", keys, { name: "Ages" });
  const call = (model: string) => {
    const body = { model, messages: [{ role: "user", content: "one two" }] };
    return send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key, body });
  };
  await call("sandbox-echo");
  gateway.pass(3 * DAY_MS);
  await call("sandbox-echo");
  await gateway.setLimits("sandbox-chat", { max_requests_per_1_minute: 0 });
  await call("sandbox-chat");
  gateway.pass(90_000);
  await call("sandbox-echo");
  const list = async (query: string) => {
    const url = `${gateway.baseUrl}/organization/me/usage_sums?${query}`;
    const { body } = await send(url, { key });
    return body.data as unknown as { id: string; requests: number; refusals: number }[];
  };
  const listDays = () => list("start_time=1&end_time=99999999999");
  await until("the refusal is written", async () => (await listDays()).at(-1)?.refusals === 1);
  const days = await listDays();
  expect(days.map(({ requests, refusals }) => [requests, refusals])).toEqual([
    [1, 0],
    [2, 1],
  ]);
  await gateway.restart();
  const summedDays = () =>
    queryDatabase(
      gateway,
      `SELECT DISTINCT start_ms FROM call_totals WHERE width_ms = ${DAY_MS} AND NOT EXISTS (SELECT 1 FROM unsummed_calls)`,
    );
  await until("the calls of each day are summed", async () => (await summedDays()).length === days.length);
  expect(await listDays()).toEqual(days);
  expect(await list(`start_time=1&end_time=99999999999&after=${days[0]?.id}`)).toEqual(days.slice(1));
  const minute = "start_time=1800259200&end_time=1800262800&bucket_width=1m";
  expect(await list(`${minute}&after=0.`)).toEqual(await list(minute));
  const summary = `${gateway.baseUrl}/organization/me/usage_summary?start_time=1&end_time=99999999999`;
  expect(await send(`${summary}&series=amount`, { key })).toMatchObject({
    status: 400,
    error: { param: "series" },
  });
});
