import { expect, test } from "bun:test";
import type { SentRequest } from "../../http/outbound/server-reply";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { createSandboxClient } from "./sandbox-client";

const requestId = "req_1";
const { clock } = simulatedRuntime();

function open() {
  const waits: number[] = [];
  const client = createSandboxClient({
    clock,
    wait: async (ms, signal) => {
      waits.push(ms);
      signal.throwIfAborted();
    },
  });
  const send = (model: string, content: string, more: object = {}) => {
    const request = { model, messages: [{ role: "user", content }], ...more };
    const stream = "stream" in more;
    return client.send({
      requestId,
      endpoint: "chat/completions" as const,
      body: JSON.stringify(request),
      stream,
    });
  };
  return { send, waits };
}

interface Reply {
  readonly choices: { readonly message: { readonly content: string }; readonly finish_reason: string }[];
  readonly usage: object;
  readonly system_fingerprint: string;
}
const json = async (request: SentRequest) => {
  const piece = await (await request.reply).read();
  return JSON.parse(Buffer.from(piece ?? []).toString()) as Reply;
};

test("echo counts one token per word in all messages and choices, and says that it is not an AI", async () => {
  const { send } = open();
  const reply = await json(send("sandbox-echo", "  one two\nthree ", { n: 2, max_tokens: 2 }));
  expect(reply.choices).toMatchObject([
    { message: { content: "one two\n" }, finish_reason: "length" },
    { message: { content: "one two\n" }, finish_reason: "length" },
  ]);
  expect(reply.usage).toEqual({ prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 });
  expect(reply.system_fingerprint).toBe("sandbox-no-ai");
  const wholeReply = await json(send("sandbox-echo", "one two"));
  expect(wholeReply.choices).toMatchObject([{ message: { content: "one two" }, finish_reason: "stop" }]);
});

test("the same conversation gets the same answer", async () => {
  const { send } = open();
  const [one, other] = await Promise.all([
    json(send("sandbox-chat", "Hi")),
    json(send("sandbox-chat", "Hi")),
  ]);
  expect(one).toEqual(other);
  expect(one.choices[0]?.message.content).toContain("```ts");
  expect(one.choices[0]?.message.content).toContain("not the answer of an AI");
});

test("slow waits 100 ms a word, and stops waiting when the call is broken off", async () => {
  const { send, waits } = open();
  await send("sandbox-slow", "one two three").reply;
  expect(waits).toEqual([300]);
  const slowRequest = send("sandbox-slow", "one two three", { stream: true });
  const reply = await slowRequest.reply;
  await reply.read();
  slowRequest.cancel();
  const drainReply = async () => {
    while ((await reply.read()) !== null);
  };
  await expect(drainReply()).rejects.toThrow("abort");
});

test("the sandbox can be told to hang: it doesn't answer until the call is aborted", async () => {
  const client = createSandboxClient({ clock });
  const body = JSON.stringify({ model: "sandbox-hang", messages: [] });
  const hanging = client.send({ requestId, endpoint: "chat/completions" as const, body, stream: false });
  hanging.cancel();
  await expect(hanging.reply).rejects.toThrow("abort");
});
