import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { readReceipt } from "../../support/clients/read-requests";
import { type Answer, send } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";

const search = { type: "web_search" };
const own = { type: "function", function: { name: "weather", parameters: { type: "object" } } };
const messages = [{ role: "user", content: "Hi" }];

let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeAll(async () => {
  provider = startScriptedProvider();
  gateway = await serveGateway({ config: scriptedConfiguration(provider, { protocols: ["chat"] }) });
});
beforeEach(() => {
  provider.visits.length = 0;
  provider.answerWith(() =>
    Response.json({
      choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 9, completion_tokens: 1 },
    }),
  );
});
afterAll(async () => {
  await gateway.close();
  await provider.stop();
});

const call = (path: string, more: object): Promise<Answer> =>
  send(`${gateway.baseUrl}${path}`, {
    key: gateway.key,
    headers: { "anthropic-version": "2023-06-01" },
    body: { model: "fake", max_tokens: 9, messages, ...more },
  });
const sent = () => JSON.parse(provider.visits[0]?.body ?? "{}");

test.each([
  ["short", "Hi"],
  ["so long that another thread reads it", "word ".repeat(60_000)],
])("a chat that is %s goes without the tools that only a provider runs, and says so", async (_, content) => {
  const asked = { tools: [search, own, { type: "file_search" }], messages: [{ role: "user", content }] };
  const { status, headers } = await call("/chat/completions", asked);
  expect(status).toBe(200);
  expect(sent().tools).toEqual([own]);
  expect(headers.get("x-gatehouse-tools-left-out")).toBe("web_search, file_search");
  expect(headers.get("x-gatehouse-left-out")).toBe("tools.web_search, tools.file_search");
  const { settings } = await readReceipt(gateway, headers.get("x-request-id"));
  expect(settings?.left_out).toEqual(["tools.web_search", "tools.file_search"]);
});

test("a message that becomes a chat goes without them, too", async () => {
  const tools = [
    { type: "web_search_20250305", name: "web_search" },
    { name: "weather", input_schema: { type: "object" } },
  ];
  const { status, headers } = await call("/messages", { tools });
  expect(status).toBe(200);
  expect(sent().tools).toMatchObject([{ type: "function", function: { name: "weather" } }]);
  expect(headers.get("x-gatehouse-tools-left-out")).toBe("web_search_20250305");
});

test.each([
  ["the only one", { tools: [search] }, "tools.0.type"],
  ["forced", { tools: [own, search], tool_choice: { type: "web_search" } }, "tools.1.type"],
])("a call with such a tool that is %s is refused, and nothing is sent", async (_, asked, param) => {
  const { status, error } = await call("/chat/completions", asked);
  expect([status, error.code, error.param]).toEqual([400, "unpriced_field", param]);
  expect(provider.visits).toHaveLength(0);
});

const messageTools = [
  { type: "web_search_20250305", name: "web_search" },
  { name: "weather", input_schema: { type: "object" } },
];

test.each([
  ["chat completions", "/chat/completions", { tools: [own, search] }],
  ["messages", "/messages", { tools: messageTools }],
  ["responses", "/responses", { tools: [{ ...own.function, type: "function" }, search], input: "Hi" }],
])("a project may refuse them in %s, until it leaves them out again", async (_, path, asked) => {
  const ask = () => {
    const { max_tokens, messages: sentMessages } = { max_tokens: 9, messages };
    const body = path === "/responses" ? asked : { max_tokens, messages: sentMessages, ...asked };
    return send(`${gateway.baseUrl}${path}`, {
      key: gateway.key,
      headers: { "anthropic-version": "2023-06-01" },
      body: { model: "fake", ...body },
    });
  };
  const project = `/organization/projects/${gateway.projectId}`;
  const change = (hosted_tools: string) =>
    gateway.admin<{ hosted_tools: string }>("POST", project, { hosted_tools });
  expect((await change("refuse")).hosted_tools).toBe("refuse");
  const refused = await ask();
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain("This project refuses tools");
  expect(provider.visits).toHaveLength(0);
  expect((await change("leave_out")).hosted_tools).toBe("leave_out");
  expect((await ask()).status).toBe(200);
  expect(provider.visits).toHaveLength(1);
});

test("the refusal of a project names the tools by a code of its own, and calls without such tools go on", async () => {
  await gateway.admin("POST", `/organization/projects/${gateway.projectId}`, { hosted_tools: "refuse" });
  const { error } = await call("/chat/completions", { tools: [own, search] });
  expect([error.code, error.param]).toEqual(["unsupported_tool", "tools.1"]);
  expect(error.message).toContain('"web_search"');
  expect((await call("/chat/completions", { tools: [own] })).status).toBe(200);
});
