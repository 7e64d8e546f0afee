import { describe, expect, test } from "bun:test";
import { type Cutoff, ProviderConnection } from "../../providers/provider-connection";
import { unauthenticated } from "../../refusal";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { Call } from "../call";
import type { Ending } from "../holds/held-call";
import { ReplyClient, ReplyRecorder } from "./reply-client";
import { StreamedBytes } from "./streamed-bytes";

/** A reply whose first bytes have arrived and whose rest never comes. */
async function openRelay() {
  const failures: unknown[] = [];
  const faults: unknown[] = [];
  const reasons: unknown[] = [];
  const endings: Ending[] = [];
  const link = {
    clock: simulatedRuntime().clock,
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
    circuits: { noteFailure() {} },
  };
  const pair = { projectId: "proj_1", keyId: "key_1" };
  const route = { provider: "p", model: "m" };
  const connection = new ProviderConnection(link as never, { route, pair });
  const rest = Promise.withResolvers<null>();
  rest.promise.catch(() => {});
  const reply = { status: 200, contentLength: null, header: () => null, read: () => rest.promise };
  const free = { max: 1, used: 0, emptyAtMs: 0 };
  const hold = {
    requestId: "req_1",
    admission: { request: { units: 1n }, rateLimits: { requests: free, tokens: free } },
    noteFirstByte() {},
    settle: async (_usage: unknown, _basis: unknown, ending: Ending) => void endings.push(ending),
    release: async (ending: Ending) => void endings.push(ending),
  };
  const incoming = {
    request: { endpoint: "audio/speech", fields: {} },
    caller: { permissionsIn: () => new Set() },
  };
  const client = new ReplyClient(undefined);
  const bytes = new StreamedBytes(new Uint8Array([1]), reply, { meter: null, errorFinder: null }, {
    client,
    connection,
    hold,
  } as never);
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
  relay.relay(bytes, client, { contentType: "audio/mpeg", recorder: new ReplyRecorder() });
  const controller = {
    enqueue() {},
    close() {},
    error: (...reason: unknown[]) => void reasons.push(reason[0]),
  };
  return {
    failures,
    faults,
    /** What the connection would log. */
    reasons,
    endings,
    pull: () => relay.pull(controller),
    cut(reason: Cutoff) {
      if (reason === "access ended") connection.endAccess(unauthenticated());
      else connection.cut(reason);
      rest.reject(new Error("canceled"));
    },
  };
}

describe("a reply of bytes that is cut while it is read", () => {
  test.each([
    ["unreachable", 504],
    ["too slow", 504],
  ] as const)("by its provider costs nothing and counts as its failure: %s", async (reason, status) => {
    const { pull, cut, endings, failures, faults, reasons } = await openRelay();
    await pull();
    const reading = pull();
    cut(reason);
    await reading;
    expect(endings).toEqual([{ outcome: "provider_failed", status }]);
    expect([failures.length, faults.length]).toEqual([1, 1]);
    expect(reasons).toStrictEqual([undefined]);
  });

  test.each([
    ["client gone", 499],
    ["access ended", 401],
  ] as const)("by its caller is charged, and is no failure of its provider: %s", async (reason, status) => {
    const { pull, cut, endings, failures, faults, reasons } = await openRelay();
    await pull();
    const reading = pull();
    cut(reason);
    await reading;
    expect(endings).toEqual([{ outcome: "client_gone", status }]);
    expect([failures, faults]).toEqual([[], []]);
    expect(reasons).toStrictEqual([undefined]);
  });
});

test("a reply of bytes that nobody reads until its deadline is charged, and is no failure of its provider", async () => {
  const { pull, cut, endings, failures } = await openRelay();
  await pull();
  cut("too slow");
  await Promise.resolve();
  expect(endings).toEqual([{ outcome: "client_gone", status: 499 }]);
  expect(failures).toEqual([]);
});

test.each([
  ["access ended", { outcome: "client_gone", status: 401 }],
  ["too slow", { outcome: "client_gone", status: 499 }],
  ["unreachable", { outcome: "provider_failed", status: 504 }],
] as const)(
  "a reply of bytes that is cut before its client reads ends for the client too: %s",
  async (reason, end) => {
    const { pull, cut, endings, reasons } = await openRelay();
    cut(reason);
    await new Promise(setImmediate);
    await pull();
    await pull();
    expect(reasons).toStrictEqual([undefined]);
    expect(endings).toEqual([end]);
  },
);
