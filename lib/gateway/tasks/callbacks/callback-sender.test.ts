import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { HOUR_MS, MINUTE_MS } from "@/lib/contract/durations";
import { CALLBACK_CLAIM_MS } from "../../claim-times";
import { openTemporaryDatabase } from "../../database/testing/open-temporary-database";
import { simulatedRuntime } from "../../simulation/simulated-runtime";
import { createAlertClaims } from "./alert-claims.sql";
import { retryDelayMs } from "./callback-claims";
import { CallbackSender } from "./callback-sender";
import { createPoster, deriveCallbackSecret, readCallbackTarget } from "./post-callback";

const always = (byte: number) => (bytes: number) => new Uint8Array(bytes).fill(byte);

test("waits are the schedule's, with up to a fifth more, and end after the ninth", () => {
  const [minute, hour] = [MINUTE_MS, HOUR_MS];
  const waits = [5_000, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hour)];
  const numbers = waits.map((_wait, index) => index + 1);
  expect(numbers.map((tries) => retryDelayMs(tries, always(0)))).toEqual(waits);
  for (const [index, wait] of waits.entries()) {
    const longest = retryDelayMs(index + 1, always(255)) ?? 0;
    expect(longest).toBeGreaterThan(wait * 1.19);
    expect(longest).toBeLessThanOrEqual(wait * 1.2);
  }
  expect(retryDelayMs(10, always(0))).toBeNull();
});

const secret = deriveCallbackSecret(new Uint8Array(32));
const body = JSON.stringify({ type: "spend_alert.fired", data: { id: "firing_1" } });

let store: Awaited<ReturnType<typeof openTemporaryDatabase>>;
let runtime: ReturnType<typeof simulatedRuntime>;
let receiver: ReturnType<typeof Bun.serve>;
let answer: () => Response | Promise<Response>;
/** The time and id of each try. The receiver rejects a message with an invalid signature. */
let tries: { atMs: number; id: string | null }[];
let faults: unknown[];
let startMs: number;

beforeEach(async () => {
  store = await openTemporaryDatabase();
  runtime = simulatedRuntime();
  [tries, faults, startMs] = [[], [], runtime.clock.nowMs()];
  answer = () => new Response(null, { status: 204 });
  receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      setSystemTime(runtime.clock.nowMs());
      new Webhook(secret.reveal()).verify(await request.text(), Object.fromEntries(request.headers));
      setSystemTime();
      tries.push({ atMs: runtime.clock.nowMs() - startMs, id: request.headers.get("webhook-id") });
      return answer();
    },
    error: () => new Response("not signed", { status: 401 }),
  });
});
afterEach(async () => {
  setSystemTime();
  await receiver.stop(true);
  await store[Symbol.asyncDispose]();
});

function open(owner = "this process"): CallbackSender {
  return new CallbackSender({
    claims: createAlertClaims(store.reads, store.run, owner),
    findReceiver: () => ({
      post: createPoster(readCallbackTarget(receiver.url.href, ["127.0.0.1"])),
      secrets: secret,
    }),
    runtime,
    logFault: (_where, error) => faults.push(error),
  });
}

async function keep(id: string): Promise<void> {
  const untriedCallback = { status: "pending", tries: 0, tried_at_ms: null, failure: null } as const;
  const row = { id, body, ...untriedCallback, due_at_ms: runtime.clock.nowMs() };
  await store.write((queries) => queries.insertInto("alert_deliveries").values(row).execute());
}

const outcomes = () =>
  store.reads.selectFrom("alert_deliveries").select(["id", "status", "tries", "failure"]).execute();

test("a delivered message is sent once, with its signature", async () => {
  await keep("firing_1");
  const sender = open();
  await sender.sendDue();
  runtime.pass(1_000_000);
  await sender.sendDue();
  expect(tries).toEqual([{ atMs: 0, id: "firing_1" }]);
  expect(await outcomes()).toEqual([{ id: "firing_1", status: "delivered", tries: 1, failure: null }]);
});

test("an undelivered message is retried over 75 hours under one id, and then given up", async () => {
  answer = () => new Response("no", { status: 500 });
  await keep("firing_1");
  let sender = open();
  const [hourMs, minuteMs] = [HOUR_MS, MINUTE_MS];
  const waits = [
    5_000,
    5 * minuteMs,
    30 * minuteMs,
    ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
  ];
  for (const wait of waits) {
    await sender.sendDue();
    const triesBefore = tries.length;
    runtime.pass(wait - 1);
    // A restart neither hurries nor loses a retry.
    await sender.close();
    sender = open();
    await sender.sendDue();
    expect(tries.length).toBe(triesBefore);
    runtime.pass(Math.ceil(wait * 0.2) + 1);
  }
  await sender.sendDue();
  expect(tries.length).toBe(10);
  expect(new Set(tries.map(({ id }) => id))).toEqual(new Set(["firing_1"]));
  expect(await outcomes()).toEqual([
    { id: "firing_1", status: "exhausted", tries: 10, failure: "The receiver answered 500" },
  ]);
  expect(faults.map(String)).toEqual([expect.stringContaining("firing_1 was given up after 10 tries")]);
  runtime.pass(1_000 * hourMs);
  await sender.sendDue();
  expect(tries.length).toBe(10);
});

test.each([
  ["a redirect", () => Response.redirect("https://example.com/"), "pending", 302],
  ["a refusal", () => new Response(null, { status: 403 }), "pending", 403],
  ["an address that is gone for good", () => new Response(null, { status: 410 }), "exhausted", 410],
] as const)("%s is not a delivery", async (_what, receiverAnswer, status, reply) => {
  answer = receiverAnswer;
  await keep("firing_1");
  await open().sendDue();
  const failure = `The receiver answered ${reply}`;
  expect(await outcomes()).toEqual([{ id: "firing_1", status, tries: 1, failure }]);
});

test("all of many callbacks are sent, and a failing one does not delay the others", async () => {
  for (let index = 0; index < 50; index++) await keep(`firing_${index}`);
  answer = () => new Response(null, { status: tries.length === 7 ? 503 : 200 });
  const sender = open();
  await sender.sendDue();
  expect((await outcomes()).filter(({ status }) => status === "pending").length).toBe(1);
  runtime.pass(6_000);
  await sender.sendDue();
  expect(tries.length).toBe(51);
  expect(new Set((await outcomes()).map(({ status }) => status))).toEqual(new Set(["delivered"]));
});

test("a message that was being sent at a stop is sent again after the next start", async () => {
  await keep("firing_1");
  const { promise: isSent, resolve: markSent } = Promise.withResolvers<void>();
  answer = () => {
    markSent();
    return new Promise<Response>(() => {});
  };
  const sender = open();
  void sender.sendDue();
  await isSent;
  await sender.close();
  expect(await outcomes()).toEqual([{ id: "firing_1", status: "pending", tries: 0, failure: null }]);
  answer = () => new Response(null);
  await open().sendDue();
  expect(tries.map(({ id }) => id)).toEqual(["firing_1", "firing_1"]);
  expect(await outcomes()).toMatchObject([{ status: "delivered", tries: 1 }]);
});

test("a message is not sent repeatedly while its outcome can't be stored", async () => {
  await keep("firing_1");
  const real = createAlertClaims(store.reads, store.run, "this process");
  let isFull = true;
  const sender = new CallbackSender({
    claims: {
      ...real,
      save: async (...call) => (isFull ? Promise.reject(new Error("disk full")) : real.save(...call)),
    },
    findReceiver: () => ({
      post: createPoster(readCallbackTarget(receiver.url.href, ["127.0.0.1"])),
      secrets: secret,
    }),
    runtime,
    logFault: (_where, error) => faults.push(error),
  });
  await sender.sendDue();
  runtime.pass(59_000);
  await sender.sendDue();
  expect([tries.length, faults.map(String)]).toEqual([1, ["Error: disk full"]]);
  isFull = false;
  runtime.pass(1_000);
  await sender.sendDue();
  expect(await outcomes()).toMatchObject([{ status: "delivered" }]);
  expect(tries.length).toBe(2);
});

test("one of two senders sends, and the other takes over once the first has been silent for too long", async () => {
  await keep("firing_1");
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>();
  const { promise: receiverAnswer, resolve: letAnswer } = Promise.withResolvers<Response>();
  answer = () => {
    sent();
    return receiverAnswer;
  };
  const first = open("the first process");
  const firstTry = first.sendDue();
  await isSent;
  await open("the second process").sendDue();
  expect(tries).toHaveLength(1);
  answer = () => new Response(null, { status: 500 });
  runtime.pass(CALLBACK_CLAIM_MS);
  await open("the second process").sendDue();
  expect(tries.map(({ id }) => id)).toEqual(["firing_1", "firing_1"]);
  // A sender whose claim was taken over can no longer store an outcome.
  letAnswer(new Response(null, { status: 404 }));
  await firstTry;
  expect(await outcomes()).toMatchObject([
    { status: "pending", tries: 1, failure: "The receiver answered 500" },
  ]);
});

test("the only running sender doesn't wait for the claims of a dead one", async () => {
  await keep("firing_1");
  const dead = createAlertClaims(store.reads, store.run, "the process that died");
  expect(await dead.claimDue(runtime.clock.nowMs(), 10, { receivers: [], projects: [] })).toHaveLength(1);
  await open().sendDue();
  expect(tries).toEqual([]);
  await createAlertClaims(store.reads, store.run, "this process").releaseOthers();
  await open().sendDue();
  expect(await outcomes()).toMatchObject([{ status: "delivered" }]);
});
