import { expect, test } from "bun:test";
import { HOUR_S } from "@/lib/contract/durations";
import { createBatchClient } from "../../support/clients/batch-client";
import { readCharge } from "../../support/clients/list-charges";
import { fetchWithKey, send } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import { chatCompletion, type ScriptedProvider } from "../../support/servers/scripted-provider";
import { findDoctorFaults } from "../../support/stored-data/find-doctor-faults";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  ({ baseUrl }) => {
    return `
providers:
  - { id: scripted, kind: openai, base_url: "${baseUrl}" }
models:
  - id: talker
    family: chat
    rate: "0.5"
    price: { input_per_1m: "2.00", output_per_1m: "10.00" }
    audio_price: { input_per_1m: "40.00", output_per_1m: "80.00" }
    routes: [{ provider: scripted, model: gpt-audio }]
  - id: same-price
    family: chat
    rate: "0.5"
    price: { input_per_1m: "2.00", output_per_1m: "10.00" }
    routes: [{ provider: scripted, model: gpt-audio }]
`;
  },
  (served) => {
    ({ provider, gateway } = served);
  },
);

const completion = chatCompletion("Hi", {
  prompt_tokens: 100,
  completion_tokens: 50,
  total_tokens: 150,
  prompt_tokens_details: { cached_tokens: 15, audio_tokens: 80 },
  completion_tokens_details: { audio_tokens: 40 },
});

test("usage shows tokens of audio apart, of models without prices of audio too", async () => {
  provider.answerWith(() => Response.json(completion));
  const project = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Usage" });
  const keys = `/organization/projects/${project.id}/api_keys`;
  const { value: key } = await gateway.admin<{ value: string }>("POST", keys, { name: "Usage" });
  const amounts: string[] = [];
  for (const model of ["talker", "same-price"]) {
    const body = { model, messages: [{ role: "user", content: "Hello" }] };
    const { headers } = await send(`${gateway.baseUrl}/chat/completions`, { method: "POST", key, body });
    amounts.push((await readCharge(gateway, headers.get("x-request-id"))).amount);
  }
  // (20 × 2 + 80 × 40 + 10 × 10 + 40 × 80) ÷ 1,000,000 × 0.5, and without prices of audio (100 × 2 + 50 × 10) ÷
  // 1,000,000 × 0.5.
  expect(amounts).toEqual(["0.00327", "0.00035"]);
  const since = Math.floor(gateway.runtime.clock.nowMs() / 1_000) - HOUR_S;
  const path = `/organization/usage/completions?start_time=${since}&project_ids=${project.id}`;
  const audio = { input_audio_tokens: 160, output_audio_tokens: 80 };
  const both = { ...audio, input_tokens: 200, input_cached_tokens: 30 };
  // By batch it is summed call by call, otherwise from the sums.
  for (const grouped of ["", "&group_by=batch"]) {
    const { data } = await gateway.admin<{ data: { results: object[] }[] }>("GET", path + grouped);
    expect(data.flatMap(({ results }) => results)).toMatchObject([both]);
  }
  const figures = { ...audio, cached_tokens: 30 };
  for (const range of [`start_time=${since}`, ""])
    expect(
      await gateway.admin("GET", `/organization/usage_summary?project_id=${project.id}&${range}`),
    ).toMatchObject({ totals: figures });
  const csv = await fetchWithKey(
    `${gateway.baseUrl}/organization/usage_sums?project_id=${project.id}&bucket_width=range`,
    { key: gateway.adminKey, headers: { accept: "text/csv" } },
  );
  const [head = "", row = ""] = (await csv.text()).split("\r\n").map((line) => line.split(","));
  const column = (name: string) => row[head.indexOf(name)];
  expect([column("input_audio_tokens"), column("output_audio_tokens")]).toEqual(["160", "80"]);
  const costs = await gateway.admin<{
    data: { results: { line_item: string; amount: { value: number } }[] }[];
  }>("GET", `/organization/costs?start_time=${since}&project_ids=${project.id}&group_by=line_item`);
  const items = costs.data.flatMap(({ results }) => results);
  expect(items.find(({ line_item }) => line_item === "same-price, input_tokens")?.amount.value).toBe(0.0001);
  expect(await findDoctorFaults(gateway)).toEqual([]);
});

test("a preview and the estimate of a batch price the audio of a prompt as audio", async () => {
  const audio = { type: "input_audio", input_audio: { data: "A".repeat(97 * 128), format: "mp3" } };
  const content = [{ type: "text", text: "one two three" }, audio];
  const call = { model: "talker", messages: [{ role: "user", content }], max_tokens: 10 };
  const post = (path: string, body: object) =>
    send(`${gateway.baseUrl}${path}`, { method: "POST", key: gateway.key, body });
  const { body: preview } = await post("/chat/completions/preview", call);
  // (58 × 2 + 97 × 40 + 10 × 10) ÷ 1,000,000 × 0.5.
  expect(preview).toMatchObject({ prompt_tokens: 155, expected_charge: "0.002048" });
  const line = { custom_id: "row", method: "POST", url: "/v1/chat/completions", body: call };
  const input_file_id = await createBatchClient(gateway).upload([JSON.stringify(line)]);
  const { body: estimate } = await post("/batches/preview", {
    input_file_id,
    endpoint: "/v1/chat/completions",
  });
  expect(estimate).toMatchObject({ input_tokens: 155, expected_charge: "0.002048" });
});

test("costs of speech are itemized by its characters", async () => {
  const project = await gateway.admin<{ id: string }>("POST", "/organization/projects", { name: "Spoken" });
  const keys = `/organization/projects/${project.id}/api_keys`;
  const { value: key } = await gateway.admin<{ value: string }>("POST", keys, { name: "Spoken" });
  const since = Math.floor(gateway.runtime.clock.nowMs() / 1_000) - HOUR_S;
  const body = { model: "sandbox-speech", input: "A fox.", voice: "alloy" };
  await (await fetchWithKey(`${gateway.baseUrl}/audio/speech`, { key, body })).arrayBuffer();
  const listCosts = async (more = "") => {
    const path = `/organization/costs?start_time=${since}&project_ids=${project.id}${more}`;
    const { data } = await gateway.admin<{ data: { results: { amount: object }[] }[] }>("GET", path);
    return data.flatMap(({ results }) => results);
  };
  await until("the speech is charged", async () => (await listCosts()).length > 0);
  const [{ amount } = {}] = await listCosts();
  expect(await listCosts("&group_by=line_item")).toMatchObject([
    { line_item: "sandbox-speech, characters", quantity: 6, quantity_unit: "characters", amount },
  ]);
});
