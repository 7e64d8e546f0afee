import { afterEach, expect, test } from "bun:test";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { ChatEndpoint } from "@/lib/contract/access/key-scopes";
import type { Problem } from "../gateway/problem";
import type { ChatEvent } from "./chat-event";
import { streamChat } from "./stream-chat";

let server: Bun.Server<undefined> | undefined;
afterEach(() => server?.stop(true));

const prompt = { model: "sandbox-echo", messages: [{ role: "user" as const, content: "one two" }] };

async function ask(
  answer: (request: Request) => Response | Promise<Response>,
  projectId: string | null = null,
  endpoint: ChatEndpoint = "chat_completions",
) {
  server = Bun.serve({ port: 0, fetch: answer });
  const connection = { url: `http://127.0.0.1:${server.port}`, token: "t" };
  const events: ChatEvent[] = [];
  const signal = new AbortController().signal;
  for await (const event of streamChat(connection, prompt, { projectId, signal, endpoint }))
    events.push(event);
  return events;
}

function openStream(...data: (object | string)[]) {
  const text = data.map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n\n`).join("");
  return new Response(text, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "x-request-id": "req_1",
      "x-gatehouse-max-tokens": "12",
    },
  });
}

const chunk = (delta: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason }],
});
const start = { type: "start", requestId: "req_1", maxTokens: 12 };
const usage = { prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 };

test("of several answers, only the first is read", async () => {
  const other = (content: string) => ({
    choices: [{ index: 1, delta: { content }, finish_reason: "length" }],
  });
  const events = await ask(() =>
    openStream(
      chunk({ content: "one " }),
      other("uno "),
      chunk({ content: "two" }, "stop"),
      other("dos"),
      "[DONE]",
    ),
  );
  expect(events.filter(({ type }) => type === "text" || type === "finish")).toEqual([
    { type: "text", text: "one " },
    { type: "text", text: "two" },
    { type: "finish", reason: "stop" },
  ]);
});

test("a streamed answer arrives word by word, with its end and its usage", async () => {
  let body: unknown;
  let project: string | null = null;
  const events = await ask(async (request) => {
    body = await request.json();
    project = request.headers.get("openai-project");
    return openStream(
      chunk({ role: "assistant", content: "" }),
      chunk({ content: "one " }),
      chunk({ content: "two" }),
      chunk({}, "stop"),
      { choices: [], usage },
      "[DONE]",
    );
  }, "proj_1");
  expect(events).toEqual([
    start,
    { type: "text", text: "one " },
    { type: "text", text: "two" },
    { type: "finish", reason: "stop" },
    { type: "usage", promptTokens: 2, completionTokens: 2, totalTokens: 4 },
    { type: "reply", reply: expect.objectContaining({ status: 200, isCut: false }) },
  ] as ChatEvent[]);
  expect(body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  expect(project).toBe("proj_1" as never);
});

test("a gateway that answers whole is understood", async () => {
  const wholeReply = {
    choices: [{ index: 0, message: { role: "assistant", content: "one two" }, finish_reason: "stop" }],
    usage,
  };
  const events = await ask(() => Response.json(wholeReply));
  expect(events.map(({ type }) => type)).toEqual(["start", "text", "finish", "usage", "reply"]);
});

test("an empty balance is reported, and the reply is passed on unchanged", async () => {
  const balance = { available: "0.00", required: "0.01", currency: "USD" };
  const events = await ask(() =>
    Response.json({ error: { message: "Too little.", balance } }, { status: 402 }),
  );
  expect(events).toMatchObject([
    { type: "reply", reply: { status: 402 } },
    { type: "problem", problem: { code: "insufficient_balance", balance, message: "Too little." } },
  ]);
});

test("an error within an answer ends it, and later events are ignored", async () => {
  const error = { error: { message: "The provider failed.", type: "service_error" } };
  const events = await ask(() => openStream(chunk({ content: "one" }), error, chunk({ content: "two" })));
  expect(events.slice(1)).toMatchObject([
    { type: "text", text: "one" },
    { type: "reply" },
    { type: "problem", problem: { message: "The provider failed.", requestId: "req_1" } },
  ]);
});

test("an error in a whole answer comes after the reply, and is the last event", async () => {
  const events = await ask(() => Response.json({ error: { message: "The provider failed." } }));
  expect(events.map(({ type }) => type)).toEqual(["start", "reply", "problem"]);
});

test("an answer that breaks off is not treated as complete", async () => {
  const events = await ask(() => openStream(chunk({ content: "one" })));
  expect(events.at(-1)).toMatchObject({ type: "problem", problem: { code: "failed" } });
});

test("reports that the gateway stopped answering if it goes away within an answer", async () => {
  let clientSocket: Socket | undefined;
  const cutServer = createServer((socket) => {
    clientSocket = socket;
    const text = `data: ${JSON.stringify(chunk({ content: "one" }))}\n\n`;
    socket.write(
      `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${text.length.toString(16)}\r\n${text}\r\n`,
    );
  });
  await new Promise<void>((resolve) => cutServer.listen(0, "127.0.0.1", resolve));
  const connection = { url: `http://127.0.0.1:${(cutServer.address() as AddressInfo).port}`, token: "t" };
  const signal = new AbortController().signal;
  const events: unknown[] = [];
  for await (const event of streamChat(connection, prompt, { projectId: null, signal })) {
    events.push(event);
    if (event.type === "text") clientSocket?.destroy();
  }
  cutServer.close();
  const [, text, problem] = events;
  expect(text).toEqual({ type: "text", text: "one" });
  expect(problem).toMatchObject({ type: "problem", problem: { code: "unreachable" } });
  expect((problem as { problem: Problem }).problem.message).toStartWith("The gateway stopped answering.");
});

test("a line that is too long is told as such, not as a gateway that stopped answering", async () => {
  const events = await ask(() => openStream(chunk({ content: "one" }), "x".repeat(1_100_000)));
  const [, text, problem] = events;
  expect(text).toEqual({ type: "text", text: "one" });
  expect(problem).toMatchObject({ type: "problem", problem: { code: "failed" } });
  expect((problem as { problem: Problem }).problem.message).toContain("more than a million characters");
});

test.each([
  ["not json", ["start", "reply", "problem"]],
  ["7", ["start", "reply", "problem"]],
  ['{"choices":{}}', ["start", "finish", "reply"]],
  ['{"choices":[{"delta":7}]}', ["start", "finish", "reply"]],
])("an answer with a chunk of %s is ended by %j", async (odd, types) => {
  const events = await ask(() => openStream(odd, chunk({}, "stop"), "[DONE]"));
  expect(events.map(({ type }): string => type)).toEqual(types);
});

test("a stop closes the connection, so that the gateway stops the provider", async () => {
  const clientGone = Promise.withResolvers<void>();
  server = Bun.serve({
    port: 0,
    fetch: () =>
      new Response(
        new ReadableStream({
          start(controller) {
            controller.enqueue(
              new TextEncoder().encode(`data: ${JSON.stringify(chunk({ content: "one" }))}\n\n`),
            );
          },
          cancel: () => clientGone.resolve(),
        }),
        { headers: { "content-type": "text/event-stream" } },
      ),
  });
  const controller = new AbortController();
  const connection = { url: `http://127.0.0.1:${server.port}`, token: "t" };
  const stream = streamChat(connection, prompt, { projectId: null, signal: controller.signal });
  await stream.next();
  expect((await stream.next()).value).toEqual({ type: "text", text: "one" });
  controller.abort();
  await expect(stream.next()).rejects.toThrow();
  await clientGone.promise;
});

test("a tool call arrives in pieces, and the thoughts before it", async () => {
  const call = (piece: object) => chunk({ tool_calls: [{ index: 0, ...piece }] });
  const events = await ask(() =>
    openStream(
      ...["reasoning_content", "reasoning"].map((name) => chunk({ [name]: `by ${name}` })),
      call({ id: "call_1", function: { name: "weather", arguments: "" } }),
      call({ function: { arguments: '{"city":"Bern"}' } }),
      chunk({}, "tool_calls"),
      "[DONE]",
    ),
  );
  expect(events.slice(1, 6)).toEqual([
    { type: "thinking", text: "by reasoning_content" },
    { type: "thinking", text: "by reasoning" },
    { type: "tool_call", index: 0, id: "call_1", name: "weather", arguments: "" },
    { type: "tool_call", index: 0, id: null, name: null, arguments: '{"city":"Bern"}' },
    { type: "finish", reason: "tool_calls" },
  ]);
});

test("the Messages API is asked in its own version, and its events are understood", async () => {
  let asked: (string | null)[] = [];
  const events = await ask(
    (request) => {
      asked = [new URL(request.url).pathname, request.headers.get("anthropic-version")];
      return openStream(
        { type: "message_start", message: { usage: { input_tokens: 3 } } },
        { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "one" } },
        { type: "content_block_start", index: 1, content_block: { type: "tool_use", id: "t1", name: "add" } },
        { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "{}" } },
        { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 5 } },
        { type: "message_stop" },
      );
    },
    null,
    "messages",
  );
  expect(asked).toEqual(["/v1/messages", "2023-06-01"]);
  expect(events.slice(1, -1)).toEqual([
    { type: "text", text: "one" },
    { type: "tool_call", index: 1, id: "t1", name: "add", arguments: "" },
    { type: "tool_call", index: 1, id: null, name: null, arguments: "{}" },
    { type: "finish", reason: "tool_use" },
    { type: "usage", promptTokens: 3, completionTokens: 5, totalTokens: 8 },
  ]);
});

test("an error in the Messages API's own format is shown in its words", async () => {
  const error = { type: "error", error: { type: "api_error", message: "The provider failed." } };
  const events = await ask(() => openStream(error), null, "messages");
  expect(events.at(-1)).toMatchObject({ type: "problem", problem: { message: "The provider failed." } });
});

test("a response is read although its events repeat long instructions", async () => {
  const whole = { status: "completed", instructions: "x".repeat(1_100_000), output: [] };
  const created = { type: "response.created", response: { ...whole, status: "in_progress" } };
  const piece = { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "one" };
  const stream = () => openStream(created, piece, { type: "response.completed", response: whole }, "[DONE]");
  const events = await ask(stream, null, "responses");
  expect(events.slice(1, -1)).toEqual([
    { type: "text", text: "one" },
    { type: "finish", reason: "completed" },
  ]);
});
