import { expect, spyOn, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";
import { toNano } from "@/lib/money/amount";
import type { ServerReply } from "../http/outbound/server-reply";
import type { AnsweringClient } from "../providers/provider-client";
import { Refusal, storeUnavailable } from "../refusal";
import { openCompletions } from "./testing/open-completions";

type Completions = Awaited<ReturnType<typeof openCompletions>>;

const logged = ({ database }: Completions) =>
  database.selectFrom("request_log").select(["outcome", "status"]).execute();

const charges = ({ database }: Completions) =>
  database
    .selectFrom("ledger_entries")
    .select(["basis", "outcome", "prompt_tokens", "completion_tokens", "first_byte_ms", "duration_ms"])
    .where("kind", "=", "charge")
    .execute();

/** The prompt was charged, the call ended like this, and nothing is held any more. */
async function expectChargedPrompt(gateway: Completions, end: { outcome: string; status: number }) {
  expect(await charges(gateway)).toMatchObject([{ prompt_tokens: 3, completion_tokens: 0 }]);
  expect(await logged(gateway)).toEqual([end]);
  expect(gateway.admissions.inFlight).toBe(0);
  expect((await gateway.stored()).held).toBe(toNano(0n));
}

test("a provider that never answers is given up at its deadline, and costs nothing", async () => {
  await using gateway = await openCompletions({ deadlines: { wholeAnswerMs: 10 } });
  const refusal = await gateway.call("sandbox-hang").catch((reason: unknown) => reason);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ status: 504, code: "provider_timeout" });
  expect(gateway.funds.available).toBe(toNano(1_000_000_000n));
  expect(gateway.admissions.inFlight).toBe(0);
  expect(await gateway.database.selectFrom("holds").select("id").execute()).toEqual([]);
  expect(await logged(gateway)).toEqual([{ outcome: "provider_failed", status: 504 }]);
});

/** Answers as the sandbox does, and calls `act` as soon as a request was sent. */
const actingOnceSent =
  (act: () => void) =>
  (sandbox: AnsweringClient): AnsweringClient => ({
    send(request) {
      queueMicrotask(act);
      return sandbox.send(request);
    },
  });

test("a call whose client leaves is charged for its prompt, and is no failure of its provider", async () => {
  const client = new AbortController();
  await using gateway = await openCompletions({ answering: actingOnceSent(() => client.abort()) });
  const refusal = await gateway
    .call("sandbox-hang", { clientSignal: client.signal })
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  await expectChargedPrompt(gateway, { outcome: "client_gone", status: 499 });
});

test("a call whose access ends is charged for its prompt, and is no failure of its provider", async () => {
  let endAccess = () => {};
  await using gateway = await openCompletions({ answering: actingOnceSent(() => endAccess()) });
  endAccess = () => gateway.heldCalls.endAccess("key_1");
  const refusal = await gateway.call("sandbox-hang").catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 401, code: "invalid_api_key" });
  await expectChargedPrompt(gateway, { outcome: "client_gone", status: 401 });
});

test("a call whose access ends before it is sent is refused as such, and costs nothing", async () => {
  let endAccess = () => {};
  await using gateway = await openCompletions({
    answering: (sandbox) => ({ ...sandbox, reach: async () => endAccess() }),
  });
  endAccess = () => gateway.heldCalls.endAccess("key_1");
  const refusal = await gateway.call("sandbox-echo").catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await logged(gateway)).toEqual([{ outcome: "unsent", status: 401 }]);
});

/** Falls silent after the first words of a stream, until the call is canceled. */
const silentAfterFirstWords = (sandbox: AnsweringClient): AnsweringClient => ({
  send(request) {
    const sent = sandbox.send(request);
    const canceled = Promise.withResolvers<never>();
    canceled.promise.catch(() => {});
    let hasWord = false;
    const silence = (reply: ServerReply): ServerReply => ({
      ...reply,
      async read() {
        const bytes = hasWord ? await canceled.promise : await reply.read();
        hasWord = /"content":"\w/.test(Buffer.from(bytes ?? []).toString());
        return bytes;
      },
    });
    return {
      reply: sent.reply.then(silence),
      cancel() {
        sent.cancel();
        canceled.reject(new Error("canceled"));
      },
    };
  },
});

test("a stream that falls silent is given up at its deadline, and pays for what came", async () => {
  await using gateway = await openCompletions({
    deadlines: { idleMs: 10 },
    answering: silentAfterFirstWords,
  });
  const text = await (await gateway.call("sandbox-chat", { stream: true })).text();
  const events = text.trim().split("\n\n");
  expect(JSON.parse(events.at(-1)?.slice("data: ".length) ?? "").error.code).toBe("provider_timeout");
  expect((await gateway.stored()).held).toBe(toNano(0n));
  const words = events.filter((event) => /"content":"[^"]/.test(event)).length;
  expect(words).toBeGreaterThan(0);
  const charged = { basis: "estimated", prompt_tokens: 3, completion_tokens: words };
  expect(await charges(gateway)).toMatchObject([charged]);
});

test("a call that outlives its hold is charged once, for its known usage", async () => {
  await using gateway = await openCompletions();
  const stream = await gateway.call("sandbox-chat", { stream: true });
  gateway.pass(2 * HOUR_MS - 1);
  gateway.heldCalls.settleOverdue();
  expect((await gateway.stored()).held).toBeGreaterThan(toNano(0n));
  gateway.pass(1);
  gateway.heldCalls.settleOverdue();
  await stream.text();
  expect(await charges(gateway)).toMatchObject([
    { basis: "interrupted", outcome: "interrupted", prompt_tokens: 3 },
  ]);
  expect((await gateway.stored()).held).toBe(toNano(0n));
});

test("a wall clock that jumps ahead ends no call, which pays for all that it gets", async () => {
  await using gateway = await openCompletions();
  const stream = await gateway.call("sandbox-chat", { stream: true });
  gateway.stepWallClock(DAY_MS);
  gateway.heldCalls.settleOverdue();
  await stream.text();
  expect(await charges(gateway)).toMatchObject([{ basis: "reported", outcome: "completed" }]);
});

test.each([-DAY_MS, DAY_MS])("a wall clock that jumps by %i ms changes no duration", async (stepMs) => {
  await using gateway = await openCompletions();
  gateway.stepWallClock(stepMs);
  const stream = await gateway.call("sandbox-chat", { stream: true });
  gateway.pass(400);
  gateway.stepWallClock(stepMs);
  await stream.text();
  expect(await charges(gateway)).toMatchObject([{ first_byte_ms: 400, duration_ms: 400 }]);
});

test("a call that the store can't take is a 503 with its limits as they were, and is neither counted nor logged", async () => {
  await using gateway = await openCompletions();
  spyOn(gateway.funds, "placeHold").mockRejectedValueOnce(storeUnavailable());
  const logRefusal = spyOn(gateway.funds, "logRefusal");
  const refusal = await gateway.call("sandbox-echo").catch((reason: unknown) => reason as Refusal);
  expect(refusal).toMatchObject({ status: 503, code: "store_unavailable" });
  expect((refusal as Refusal).details.headers).toMatchObject({
    "retry-after": "1",
    "x-ratelimit-remaining-requests": String(builtInRateLimits.max_requests_per_1_minute),
    "x-ratelimit-remaining-tokens": String(builtInRateLimits.max_tokens_per_1_minute),
  });
  expect(logRefusal).not.toHaveBeenCalled();
  expect(gateway.admissions.inFlight).toBe(0);
  // The provider has one place, which is free again.
  expect((await gateway.call("sandbox-echo")).status).toBe(200);
});
