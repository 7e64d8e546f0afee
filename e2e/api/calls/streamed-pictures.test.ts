import { expect, test } from "bun:test";
import { leaveAfter } from "../../support/clients/leave-after";
import { readCharge } from "../../support/clients/list-charges";
import { send } from "../../support/clients/send";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import type { ServedGateway } from "../../support/gateways/serve-gateway";
import { serveScriptedForAll } from "../../support/gateways/serve-scripted";
import {
  chatCompletion,
  chunkEvent,
  DONE,
  type ScriptedProvider,
  streamChunks,
  usageEvent,
} from "../../support/servers/scripted-provider";

let provider: ScriptedProvider;
let gateway: ServedGateway;

serveScriptedForAll(
  ({ baseUrl }) => `
providers:
  - { id: scripted, kind: openai, base_url: "${baseUrl}", circuit: false }
models:
  - id: painter
    family: chat
    rate: "1.0"
    price: { input_per_1m: "0.30", output_per_1m: "30.00" }
    max_output_tokens: 2000
    routes: [{ provider: scripted, model: gemini-image }]
`,
  (served) => {
    ({ provider, gateway } = served);
  },
  { isExpectedFault: isProviderFault },
);

const data = Buffer.alloc(60_000, 7).toString("base64");
const images = [{ type: "image_url", image_url: { url: `data:image/png;base64,${data}` } }];
const picture = chunkEvent({ role: "assistant", content: "", images });
const call = { model: "painter", messages: [{ role: "user", content: "A cat" }] };

test.each([
  ["its client leaves with it", [new Promise<void>(() => {})]],
  ["the provider breaks off behind it", []],
  ["the provider never reports it", [DONE]],
])("a picture in a stream is charged as one where %s", async (_, end) => {
  provider.answerWith(() => streamChunks([picture, ...end]));
  const headers = await leaveAfter(picture.length, `${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { ...call, stream: true },
  });
  expect(await readCharge(gateway, headers.get("x-request-id"))).toMatchObject({
    basis: "estimated",
    completion_tokens: 1_290,
  });
});

test("a picture that nobody reports is charged in a whole answer, too", async () => {
  provider.answerWith(() => Response.json(chatCompletion({ content: "", images })));
  const { headers, body } = await send(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: call,
  });
  expect(await readCharge(gateway, headers.get("x-request-id"))).toMatchObject({ completion_tokens: 1_290 });
  expect(body.usage).toMatchObject({ completion_tokens: 1_290 });
});

test("a picture that the provider reports costs what it reports", async () => {
  const usage = { prompt_tokens: 5, completion_tokens: 1_120, total_tokens: 1_125 };
  provider.answerWith(() => streamChunks([picture, usageEvent(usage), DONE]));
  const headers = await leaveAfter(Number.POSITIVE_INFINITY, `${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: { ...call, stream: true },
  });
  expect(await readCharge(gateway, headers.get("x-request-id"))).toMatchObject({
    basis: "reported",
    completion_tokens: 1_120,
  });
});
