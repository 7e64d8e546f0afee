import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { catchRefusal, officialClient } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { isProviderFault } from "../../support/gateways/is-provider-fault";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import { createResponse } from "../../support/protocols/ask-response";
import {
  type ResponsesServer,
  startResponsesServer,
  writeResponsesStream,
} from "../../support/servers/responses-server";

type Fields = Record<string, unknown>;

let server: ResponsesServer;
let gateway: ServedGateway;

beforeAll(async () => {
  server = startResponsesServer();
  gateway = await serveGateway({ config: writeConfiguration(), isExpectedFault: isProviderFault });
});
const output = [
  { id: "rs_1", type: "reasoning", summary: [], encrypted_content: "theirs" },
  {
    id: "msg_1",
    type: "message",
    status: "completed",
    role: "assistant",
    content: [{ type: "output_text", text: "Hello there", annotations: [], logprobs: [] }],
  },
];
/** The same as clients get it: what is encrypted names the account that can read it. */
const marked = output.map((item) =>
  "encrypted_content" in item
    ? { ...item, encrypted_content: expect.stringMatching(/^gh2_[0-9a-f]+_theirs$/) }
    : item,
);
beforeEach(() => {
  server.visits.length = 0;
  server.answerWith(() => ({ output }));
});
afterAll(async () => {
  await gateway.close();
  await server.stop();
});

function writeConfiguration(): string {
  const provider = { kind: "openai", preset: "openai", api_key: "sk-upstream", circuit: false };
  const price = { input_per_1m: "5", cached_input_per_1m: "0.5", output_per_1m: "25" };
  const model = { family: "chat", rate: "1", max_output_tokens: 16_000 };
  return JSON.stringify({
    providers: [{ ...provider, id: "native", base_url: server.baseUrl }],
    models: [
      { ...model, id: "gpt", price, routes: [{ provider: "native", model: "gpt-5" }] },
      {
        ...model,
        id: "searching",
        price: { ...price, tools: { web_search: "0.01" } },
        routes: [{ provider: "native", model: "gpt-5" }],
      },
    ],
  });
}

const post = (body: string) =>
  fetch(`${gateway.baseUrl}/responses`, {
    method: "POST",
    headers: { authorization: `Bearer ${gateway.key}`, "content-type": "application/json" },
    body,
  });

test("a response goes as it is, but for its model and its output limit, and comes back with our id", async () => {
  const rest = `"input":[{"role":"user","content":"Hi"}], "truncation" : "auto", "store":false`;
  const reply = await post(`{ "model":"gpt" , "max_output_tokens": 99000, ${rest} }`);
  expect(server.visits[0]?.text).toBe(`{ "model":"gpt-5" , "max_output_tokens": 16000, ${rest} }`);
  const id = reply.headers.get("x-request-id") ?? "";
  expect(await reply.json()).toMatchObject({
    id: id.replace("req_", "resp_"),
    model: "gpt",
    output: marked,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
  const { hold } = await readReceipt(gateway, id);
  expect(hold?.state).toBe("settled");
});

test("a stream's events pass as bytes but for our id and the model, and its end once it is charged", async () => {
  const asked = { model: "gpt", input: "Hi" };
  const { response, headers } = await createResponse(gateway, asked, true);
  expect(response.output).toEqual(marked as never);
  const own = (headers.get("x-request-id") ?? "").replace("req_", "resp_");
  expect([response.id, response.model, response.usage?.total_tokens]).toEqual([own, "gpt", 15]);
  const text = await (await post(JSON.stringify({ ...asked, stream: true }))).text();
  expect(text).not.toContain("resp_upstream");
  expect(text).not.toContain("gpt-2026");
  expect(text).toContain('"delta":"Hello","logprobs":[],"obfuscation":"x"');
  expect(text).toEndWith("data: [DONE]\n\n");
});

test("items of ours go without their ids, and thinking of other servers stays out", async () => {
  const stem = "01mcc5rm00qf0n2hvms0r4657r";
  const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
  const result = { type: "function_call_output", call_id: "c", output: "1" };
  const { headers } = await createResponse(
    gateway,
    {
      model: "gpt",
      input: [
        ...output,
        { id: `rs_${stem}_0`, type: "reasoning", summary: [], encrypted_content: "gh1_e30" },
        { id: `fc_${stem}_1`, ...call },
        result,
      ],
    },
    false,
  );
  expect(server.visits[0]?.body.input).toEqual([...output, call, result]);
  expect(headers.get("x-gatehouse-left-out")).toBe("input.reasoning");
});

test("a tool that the provider runs goes to it where the model has a price for it, and is charged", async () => {
  const tools = [{ type: "web_search" }, { type: "function", name: "f", parameters: null, strict: null }];
  const search = { id: "ws_1", type: "web_search_call", status: "completed" };
  server.answerWith(() => ({ output: [search, search, ...output] }));
  for (const isStream of [false, true]) {
    const { headers } = await createResponse(gateway, { model: "searching", input: "Hi", tools }, isStream);
    expect(server.visits.at(-1)?.body.tools).toEqual(tools);
    const { request } = await gateway.admin<{ request: Fields }>(
      "GET",
      `/organization/requests/${headers.get("x-request-id")}`,
    );
    // Two searches, ten tokens of input of which four were cached, and five of output.
    expect(Number(request.amount)).toBeCloseTo(0.02 + (6 * 5 + 4 * 0.5 + 5 * 25) / 1e6, 9);
  }
  const { headers } = await createResponse(gateway, { model: "gpt", input: "Hi", tools }, false);
  expect(server.visits.at(-1)?.body.tools).toEqual([tools[1]]);
  expect(headers.get("x-gatehouse-tools-left-out")).toBe("web_search");
  const project = `/organization/projects/${gateway.projectId}`;
  await gateway.admin("POST", project, { hosted_tools: "refuse" });
  const client = officialClient(gateway.baseUrl, gateway.key);
  const create = (model: string) => client.responses.create({ model, input: "Hi", tools } as never);
  expect(await catchRefusal(create("gpt"))).toMatchObject({ code: "unsupported_tool", param: "tools" });
  expect(await create("searching")).toMatchObject({ status: "completed" });
  await gateway.admin("POST", project, { hosted_tools: "leave_out" });
});

test("what would cost more than its price is refused", async () => {
  const client = officialClient(gateway.baseUrl, gateway.key);
  const cases: readonly [Fields, string, string][] = [
    [{ tools: [{ type: "web_search" }] }, "unsupported_tool", "tools"],
    [{ service_tier: "priority" }, "unpriced_field", "service_tier"],
    [{ models: ["other"] }, "unpriced_field", "models"],
  ];
  for (const [fields, code, param] of cases) {
    const refusal = await catchRefusal(
      client.responses.create({ model: "gpt", input: "Hi", ...fields } as never),
    );
    expect([refusal.status, refusal.code, refusal.param]).toEqual([400, code, param]);
  }
  expect(server.visits).toEqual([]);
});

test("a stream that fails midway tells the response that failed, with the items that were done", async () => {
  const whole = writeResponsesStream({ id: "resp_upstream", model: "gpt-2026", status: "completed", output });
  const end = whole.indexOf("event: response.completed");
  const failure = { code: "server_error", message: "Broken" };
  const failed = `event: response.failed\ndata: ${JSON.stringify({
    type: "response.failed",
    sequence_number: 99,
    response: { id: "resp_upstream", status: "failed", error: failure },
  })}\n\n`;
  for (const last of [failed, ""]) {
    server.answerWith(
      () => new Response(whole.slice(0, end) + last, { headers: { "content-type": "text/event-stream" } }),
    );
    const text = await (await post(JSON.stringify({ model: "gpt", input: "Hi", stream: true }))).text();
    const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data ?? "{}"));
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.at(-2)).toMatchObject({ type: "error", code: "provider_error" });
    expect(events.at(-1)).toMatchObject({
      type: "response.failed",
      response: { status: "failed", model: "gpt", output: marked, error: { code: "provider_error" } },
    });
  }
});

test("a server that answers a stream with a whole response, or the other way, is understood", async () => {
  const response = {
    id: "resp_upstream",
    object: "response",
    model: "gpt-2026",
    status: "completed",
    output,
  };
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  server.answerWith(({ body }) =>
    body.stream
      ? Response.json({ ...response, usage })
      : new Response(writeResponsesStream({ ...response, usage }), {
          headers: { "content-type": "text/event-stream" },
        }),
  );
  for (const isStream of [false, true]) {
    const read = await createResponse(gateway, { model: "gpt", input: "Hi" }, isStream);
    expect(read.response.output).toEqual(marked as never);
  }
});

test("a repeat with an idempotency key gets the same response", async () => {
  const client = officialClient(gateway.baseUrl, gateway.key);
  for (const stream of [false, true]) {
    const options = { headers: { "idempotency-key": `key-${stream}` } };
    const ask = async () =>
      (
        await client.responses.create({ model: "gpt", input: "Hi", stream } as never, options).asResponse()
      ).text();
    expect(await ask()).toBe(await ask());
  }
  expect(server.visits).toHaveLength(2);
});
