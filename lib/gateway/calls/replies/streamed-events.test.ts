import { expect, test } from "bun:test";
import { type Cutoff, ProviderConnection } from "../../providers/provider-connection";
import { unauthenticated } from "../../refusal";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { Call } from "../call";
import type { Ending } from "../holds/held-call";
import { ReplyClient, ReplyRecorder } from "./reply-client";
import { ReplyMemory } from "./reply-memory";
import { StreamedEvents } from "./streamed-events";

const FIRST_WORD = 'data: {"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":null}]}\n\n';

/** A stream whose first word has arrived and whose rest never comes. */
async function openRelay({ isRecorded = false } = {}) {
  const failures: unknown[] = [];
  const faults: unknown[] = [];
  const sent: string[] = [];
  const endings: Ending[] = [];
  const captured: string[] = [];
  const capture = {
    addStreamed: (bytes: Uint8Array) => void captured.push(Buffer.from(bytes).toString()),
    end: () => void captured.push(`ended after ${endings.length} charges`),
  };
  const link = {
    clock: simulatedRuntime().clock,
    isTokenPerEvent: true,
    keys: {
      choose: () => ({
        id: "key_1",
        hint: null,
        client: { send: () => ({ reply: Promise.resolve(), cancel() {} }) },
      }),
    },
    deadlines: { begin: () => ({}), finish() {}, end() {} },
    leave() {},
    latencies: { note() {} },
    failures: { note: (_: string, failure: unknown) => failures.push(failure) },
    circuits: { noteFailure() {}, noteSuccess() {} },
  };
  const pair = { projectId: "proj_1", keyId: "key_1" };
  const route = { provider: "p", model: "m" };
  const connection = new ProviderConnection(link as never, { route, pair });
  const rest = Promise.withResolvers<Uint8Array<ArrayBuffer> | null>();
  rest.promise.catch(() => {});
  const pieces = [Buffer.from(FIRST_WORD)];
  const reply = {
    status: 200,
    contentLength: null,
    header: () => null,
    read: () => pieces.shift() ?? rest.promise,
  };
  const free = { max: 1, used: 0, emptyAtMs: 0 };
  const price = { inputPer1m: 1n, outputPer1m: 1n, rate: 1n };
  const hold = {
    requestId: "req_1",
    stream: true,
    admission: {
      request: { promptTokens: 3, choices: 1, price, maxOutputTokens: 100 },
      maxOutputTokens: 100,
      rateLimits: { requests: free, tokens: free },
    },
    idempotencyLock: isRecorded ? {} : undefined,
    noteFirstByte() {},
    settle: async (_usage: unknown, _basis: unknown, ending: Ending) => void endings.push(ending),
    release: async (ending: Ending) => void endings.push(ending),
  };
  const incoming = {
    request: { endpoint: "chat/completions", fields: { model: "m" } },
    requestContext: { clientSignal: new AbortController().signal },
    caller: { permissionsIn: () => new Set() },
  };
  const client = new ReplyClient(capture as never);
  const parts = { client, connection, hold, incoming, protocol: "chat" } as never;
  const events = new StreamedEvents(reply, parts, { memory: new ReplyMemory(), readLongEvents: () => null });
  const context = { logFault: (_: string, fault: unknown) => void faults.push(fault) };
  const model = { maxOutputTokens: 100 };
  const relay = new Call(
    context as never,
    incoming as never,
    model as never,
    hold as never,
    connection,
    null as never,
  );
  await connection.send({} as never, relay);
  relay.relay(events, client, { contentType: "text/event-stream", recorder: new ReplyRecorder() });
  const controller = {
    enqueue: (bytes: Uint8Array) => void sent.push(Buffer.from(bytes).toString()),
    close: () => void sent.push("closed"),
    error: (...reason: unknown[]) => void sent.push(`broken off: ${reason[0]}`),
  };
  await relay.pull(controller);
  expect(sent.splice(0)).toEqual([FIRST_WORD]);
  return {
    failures,
    faults,
    sent,
    endings,
    captured,
    relay,
    pull: () => relay.pull(controller),
    async sendRest(text: string) {
      rest.resolve(Buffer.from(text));
      await new Promise(setImmediate);
    },
    async cut(reason: Cutoff) {
      if (reason === "access ended") connection.endAccess(unauthenticated());
      else connection.cut(reason);
      rest.reject(new Error("canceled"));
      await new Promise(setImmediate);
    },
  };
}

test("a stream that nobody reads until its deadline is charged and breaks off, and is no failure of its provider", async () => {
  const { cut, pull, endings, failures, faults, sent } = await openRelay();
  await cut("too slow");
  expect(endings).toEqual([{ outcome: "client_gone", status: 499 }]);
  expect([failures, faults, sent]).toEqual([[], [], ["broken off: undefined"]]);
  await pull();
  expect(sent).toHaveLength(1);
});

test("a stream that its provider doesn't continue until its deadline is its failure, and says so", async () => {
  const { cut, pull, endings, failures, faults, sent } = await openRelay();
  const reading = pull();
  await cut("too slow");
  await reading;
  expect(endings).toEqual([{ outcome: "provider_failed", status: 504 }]);
  expect([failures.length, faults.length]).toEqual([1, 1]);
  expect(sent).toEqual([expect.stringContaining("provider_timeout"), "closed"]);
});

test("a stream whose caller loses access gets the reason, also while it isn't read", async () => {
  const { cut, endings, failures, faults, sent } = await openRelay();
  await cut("access ended");
  expect(endings).toEqual([{ outcome: "client_gone", status: 401 }]);
  expect([failures, faults]).toEqual([[], []]);
  expect(sent).toEqual([expect.stringContaining("invalid_api_key"), "closed"]);
});

test("a stored body has the whole answer although its client left, and is handed over after the charge", async () => {
  const { relay, sendRest, sent, captured } = await openRelay({ isRecorded: true });
  await relay.cancel();
  expect(captured).toEqual([FIRST_WORD]);
  await sendRest(`${FIRST_WORD}data: [DONE]\n\n`);
  expect(captured).toEqual([FIRST_WORD, FIRST_WORD, "data: [DONE]\n\n", "ended after 1 charges"]);
  expect(sent).toEqual([]);
});

test("the stored body of a call that ends with its client has what came until then", async () => {
  const { relay, captured } = await openRelay();
  await relay.cancel();
  expect(captured).toEqual([FIRST_WORD, "ended after 1 charges"]);
});
