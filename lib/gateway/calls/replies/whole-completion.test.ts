import { afterAll, expect, test } from "bun:test";
import { providerFailed } from "../../providers/provider-failure";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { Call } from "../call";
import { ReplyReader } from "./reply-reader";

const PIECE_BYTES = 64 * 1024;
const replyReader = new ReplyReader(() => {});
afterAll(() => replyReader.close());

const usage = '"usage":{"prompt_tokens":1,"completion_tokens":200000,"total_tokens":200001}';
const long = `{"choices":[{"message":{"content":"${"x".repeat(1024 * 1024)}"}}],${usage}}`;

const short = `{"choices":[{"message":{"content":"x"}}],${usage}}`;

/** A provider's reply that arrives in pieces. */
function buildReply(text: string) {
  let at = 0;
  const read = () => {
    const piece = new Uint8Array(Buffer.from(text.slice(at, at + PIECE_BYTES)));
    at += PIECE_BYTES;
    return piece.byteLength > 0 ? piece : null;
  };
  return { status: 200, announced: null, header: () => null, read };
}

const free = { max: 1, used: 0, emptyAtMs: 0 };

/** A call that is charged by the provider's reported usage. */
function buildCall(client = new AbortController()) {
  const connection = {
    link: { isTokenPerEvent: false, chooseProtocol: () => "chat", clock: simulatedRuntime().clock },
    route: { provider: "p", model: "m" },
    noteSuccess() {},
    noteFailure() {},
    noteProgress() {},
    end() {},
    giveUpWith() {},
    notePause() {},
    allowedPauseMs: () => 0,
    describeFailure: (error: unknown) => error,
  };
  const hold = {
    admission: {
      request: { promptTokens: 1, choices: 1, maxOutputTokens: 1_000_000 },
      maxOutputTokens: 1_000_000,
      rateLimits: { requests: free, tokens: free },
    },
    noteFirstByte() {},
    coveredPart: <Usage>(reported: Usage) => reported,
    settle: async () => {},
  };
  return {
    connection,
    hold,
    incoming: {
      request: { endpoint: "chat/completions", fields: { model: "m" } },
      requestContext: { clientSignal: client.signal },
    },
  };
}

function answerAs({ incoming, hold, connection }: ReturnType<typeof buildCall>, text: string) {
  const [context, model] = [{ replyReader }, { maxOutputTokens: 1_000_000 }];
  const call = new Call(
    context as never,
    incoming as never,
    model as never,
    hold as never,
    connection as never,
    null as never,
  );
  return call.answerWith(buildReply(text) as never);
}

const answer = (text: string, client?: AbortController) => answerAs(buildCall(client), text);

test("a long reply takes its memory until the client has it, byte for byte", async () => {
  const reply = await answer(long);
  expect(replyReader.memory.heldBytes).toBe(long.length);
  expect(await reply.text()).toBe(long);
  expect(replyReader.memory.heldBytes).toBe(0);
});

test("a long reply gives its memory back where its client has left or stops reading", async () => {
  const client = new AbortController();
  await answer(long, client);
  client.abort();
  expect(replyReader.memory.heldBytes).toBe(0);
  await answer(long, client);
  expect(replyReader.memory.heldBytes).toBe(0);
  await (await answer(long)).body?.cancel();
  expect(replyReader.memory.heldBytes).toBe(0);
});

test("a short reply never reads its client's signal, which Bun would have to make", async () => {
  const call = buildCall();
  Object.defineProperty(call.incoming.requestContext, "clientSignal", {
    get() {
      throw new Error("The signal was read");
    },
  });
  const reply = await answerAs(call, short);
  expect(await reply.text()).toBe(short);
});

test("a long reply that makes no sense gives its memory back", async () => {
  await expect(answer(`[${long}`)).rejects.toMatchObject({ code: providerFailed("").code });
  expect(replyReader.memory.heldBytes).toBe(0);
});
