import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

type Message = { role: string; content: string | null; reasoning_content?: string };
type Asked = { messages: Message[]; tools?: { function: { name: string } }[] };

/** A provider that thinks, calls a tool, and answers with what it brought. */
async function startReasoningProvider() {
  const asked: Asked[] = [];
  const server = createServer(async (request, reply) => {
    const body = (await json(request)) as Asked;
    asked.push(body);
    const { messages, tools = [] } = body;
    const name = tools[0]?.function.name ?? "weather";
    const given = name === "draw" ? '{"input":"a cat\\non a mat"}' : "{}";
    const brought = messages.findLast(({ role }) => role === "tool")?.content;
    const call = { index: 0, id: "call_1", type: "function", function: { name, arguments: given } };
    const deltas = brought
      ? [{ reasoning_content: "It rains there." }, { content: `In Oslo: **${brought}**` }]
      : [{ reasoning_content: "I have to look that up." }, { tool_calls: [call] }];
    const usage = {
      prompt_tokens: 1_200,
      completion_tokens: 60,
      total_tokens: 1_260,
      prompt_tokens_details: { cached_tokens: 1_024 },
      completion_tokens_details: { reasoning_tokens: 40 },
    };
    const send = (chunk: object) =>
      reply.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`);
    reply.writeHead(200, { "content-type": "text/event-stream" });
    for (const delta of deltas) send({ choices: [{ index: 0, delta, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason: brought ? "stop" : "tool_calls" }] });
    send({ choices: [], usage });
    reply.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, asked, stop: () => server.close() };
}

test("a conversation is had by responses: its reasoning is folded, its tools are answered, and its API stays chosen", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await createSelectedProject(context, gatehouse, "Responses");
  const provider = await startReasoningProvider();
  await api.createProvider("thoughtful", provider.baseUrl);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "thoughtful", model: "thinker" }];
  await api.createModel({ id: "thinker", family: "chat", rate: "1", price, routes });
  await signIn(page, gatehouse);
  await page.goto("/playground?model=thinker");
  await page.getByLabel("API", { exact: true }).selectOption("Responses");
  await page.getByText("More settings").click();
  await expect(page.getByLabel("Stop sequences")).toHaveCount(0);
  await page.getByLabel("Show reasoning").selectOption("auto");
  const weather = { type: "function", function: { name: "weather", parameters: { type: "object" } } };
  await page.getByLabel("Tools", { exact: true }).fill(JSON.stringify([weather]));
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await message.fill("What is it like in Oslo?");
  await message.press("Enter");
  await page.getByLabel("Result of weather").fill("rain");
  await expect(page.getByText("I have to look that up.")).toBeHidden();
  await page.getByRole("button", { name: "Send result" }).click();
  const answer = page.getByRole("article").last();
  await expect(answer).toContainText("In Oslo: rain");
  // Its reasoning went back to it with the tool's reply.
  const said = provider.asked.at(-1)?.messages.find(({ role }) => role === "assistant");
  expect(said?.reasoning_content).toBe("I have to look that up.");
  await answer.getByText("Reasoning", { exact: true }).click();
  await expect(page.getByText("It rains there.")).toBeVisible();
  await page.getByRole("button", { name: "Details" }).last().click();
  await expect(page.getByText("1,024 tokens in")).toBeVisible();
  await expect(page.getByText("40 tokens out")).toBeVisible();
  await expectNoAxeViolations(page);

  await page.reload();
  await expect(page.getByLabel("API", { exact: true })).toHaveValue("responses");
  await expect(page.getByRole("article").last()).toContainText("In Oslo: rain");
  await page.getByRole("button", { name: "Code" }).first().click();
  await page.getByRole("tab", { name: "openai", exact: true }).click();
  await expect(page.getByText("await client.responses.create")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Receipt" }).last().click();
  await expect(page.getByText("POST /v1/responses")).toBeVisible();
  provider.stop();
});

test("a call of a custom tool is a card of its own, with its text as the model wrote it", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await createSelectedProject(context, gatehouse, "Custom tools");
  const provider = await startReasoningProvider();
  await api.createProvider("artist", provider.baseUrl);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "artist", model: "thinker" }];
  await api.createModel({ id: "painter", family: "chat", rate: "1", price, routes });
  await signIn(page, gatehouse);
  await page.goto("/playground?model=painter");
  await page.getByLabel("API", { exact: true }).selectOption("Responses");
  await page.getByText("More settings").click();
  const tools = { tools: [{ type: "custom", name: "draw" }] };
  await page.getByLabel("Further parameters", { exact: true }).fill(JSON.stringify(tools));
  const message = page.getByRole("textbox", { name: "Message", exact: true });
  await message.fill("Draw a cat.");
  await message.press("Enter");
  const cards = page.getByRole("list", { name: "Other tools" });
  await expect(cards).toContainText("Calls draw");
  await expect(cards).toContainText("a cat\non a mat");
  await expectNoAxeViolations(page);
  provider.stop();
});
