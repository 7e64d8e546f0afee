import { expect, test } from "bun:test";
import { officialClient } from "../support/official-client";
import { queryDatabase } from "../support/query-database";
import {
  chunkEvent,
  DONE,
  type ScriptedProvider,
  scriptedConfiguration,
  streamChunks,
  usageEvent,
} from "../support/scripted-provider";
import type { ServedGateway } from "../support/serve-gateway";
import { serveScriptedForAll } from "../support/serve-scripted";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(scriptedConfiguration, (served) => {
  ({ provider, gateway } = served);
});

const body = { model: "fake", messages: [{ role: "user" as const, content: "Hello" }] };
const ask = () => officialClient(gateway.baseUrl, gateway.key).chat.completions.create(body);
const stream = async () => {
  const client = officialClient(gateway.baseUrl, gateway.key);
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  return Array.fromAsync(await client.chat.completions.create({ ...body, ...options }));
};
const lastCharge = () =>
  queryDatabase<{ completion_tokens: number; basis: string }>(
    gateway,
    "SELECT completion_tokens, basis FROM ledger_entries WHERE kind = 'charge'",
  ).at(-1);

/** As xAI reports it: 394 tokens of reasoning beside the 9 of the answer. */
const beside = {
  prompt_tokens: 32,
  completion_tokens: 9,
  total_tokens: 435,
  prompt_tokens_details: { cached_tokens: 30 },
  completion_tokens_details: { reasoning_tokens: 394 },
};

test("reasoning that is counted beside the answer is charged and shown with it", async () => {
  const message = { role: "assistant", content: "Hi" };
  provider.answerWith(({ body: sent }) =>
    JSON.parse(sent).stream
      ? streamChunks([chunkEvent({ content: "Hi" }), usageEvent(beside), DONE])
      : Response.json({ id: "c1", choices: [{ index: 0, message, finish_reason: "stop" }], usage: beside }),
  );
  const shown = { ...beside, completion_tokens: 403 };
  expect((await ask()).usage).toEqual(shown);
  expect(lastCharge()).toEqual({ completion_tokens: 403, basis: "reported" });
  expect((await stream()).at(-1)?.usage).toEqual(shown);
  expect(lastCharge()).toEqual({ completion_tokens: 403, basis: "reported" });
});
