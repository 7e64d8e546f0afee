import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { Page } from "@playwright/test";
import { adminApi } from "../../support/clients/admin-api";
import { expect, test } from "../../support/fixtures/test";
import { expectNoAxeViolations } from "../../support/pages/expect-no-axe-violations";
import { createSelectedProject } from "../../support/pages/select-project";
import { signIn } from "../../support/pages/sign-in";

type Message = { role: string; content: string | null; tool_calls?: object[]; tool_call_id?: string };

/** A provider that calls two tools at once, and answers with their replies once it has both. */
async function startToolProvider() {
  const bodies: { messages: Message[] }[] = [];
  const server = createServer(async (request, reply) => {
    const body = (await json(request)) as { messages: Message[] };
    bodies.push(body);
    const replies = body.messages.filter(({ role }) => role === "tool");
    const call = (index: number, name: string) => ({
      index,
      id: `call_${name}`,
      type: "function",
      function: { name, arguments: '{"city":"Oslo"}' },
    });
    const delta =
      replies.length === 0
        ? { role: "assistant", tool_calls: [call(0, "weather"), call(1, "time")] }
        : { role: "assistant", content: replies.map(({ content }) => content).join(" and ") };
    const finish = replies.length === 0 ? "tool_calls" : "stop";
    const send = (chunk: object) =>
      reply.write(`data: ${JSON.stringify({ object: "chat.completion.chunk", ...chunk })}\n\n`);
    reply.writeHead(200, { "content-type": "text/event-stream" });
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
    send({ choices: [{ index: 0, delta: {}, finish_reason: finish }] });
    send({ choices: [], usage: { prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 } });
    reply.end("data: [DONE]\n\n");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    bodies,
    stop: () => server.close(),
  };
}

const messageBox = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const tools = JSON.stringify(
  ["weather", "time"].map((name) => ({
    type: "function",
    function: { name, parameters: { type: "object" } },
  })),
);

test("tools are called, answered by hand in any order or by a fixed reply, and nothing is sent before all are answered", async ({
  page,
  context,
  gatehouse,
}) => {
  const api = adminApi(gatehouse);
  await createSelectedProject(context, gatehouse, "Tools");
  const provider = await startToolProvider();
  await api.createProvider("toolbox", provider.baseUrl);
  const price = { input_per_1m: "1", output_per_1m: "1" };
  const routes = [{ provider: "toolbox", model: "caller" }];
  await api.createModel({ id: "caller", family: "chat", rate: "1", price, routes });
  await signIn(page, gatehouse);
  await page.goto("/playground?model=caller");
  await page.getByText("More settings").click();
  await page.getByLabel("Tools", { exact: true }).fill(tools);
  await messageBox(page).fill("What is it like in Oslo?");
  await messageBox(page).press("Enter");
  const calls = page.getByRole("list", { name: "Tool calls" }).first();
  await expect(calls.getByText("weather", { exact: true })).toBeVisible();
  await expect(calls.getByText('"city": "Oslo"').first()).toBeVisible();
  await expectNoAxeViolations(page);

  await messageBox(page).fill("Well?");
  await messageBox(page).press("Enter");
  await expect(page.getByText("Enter the results of the 2 open tool calls first.")).toBeVisible();
  await expect(messageBox(page)).toHaveValue("Well?");
  await messageBox(page).press("Alt+Enter");
  await page.getByLabel("Result of time").fill("noon");
  await page.getByRole("button", { name: "Send result" }).last().click();
  await expect(page.getByText("Enter the result of weather first.")).toBeVisible();
  expect(provider.bodies).toHaveLength(1);
  await page.reload();
  await page.getByLabel("Result of weather").fill("rain");
  await page.getByRole("button", { name: "Send result" }).click();
  await expect(page.getByRole("article").last()).toContainText("noon and rain");
  expect(provider.bodies[1]?.messages.map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual([
    "user",
    "assistant",
    "call_time",
    "call_weather",
    "user",
  ]);

  await page.getByRole("button", { name: "New conversation" }).click();
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.getByText("More settings").click();
  await page.getByLabel("Fixed tool replies").fill('{"weather": "sun", "time": "dusk"}');
  await messageBox(page).fill("And now?");
  await messageBox(page).press("Enter");
  await expect(page.getByRole("article").last()).toContainText("sun and dusk");
  provider.stop();
});
