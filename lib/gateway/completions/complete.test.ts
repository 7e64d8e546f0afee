import { expect, spyOn, test } from "bun:test";
import { builtInRateLimits } from "@/lib/contract/calls/rate-limit-table";
import { toNano } from "@/lib/money/amount";
import { EmbeddedAdmissions } from "../admission/embedded-admissions";
import { SpendTracker } from "../balance/spend-limits/spend-tracker";
import { parseJsonObject } from "../http/parse-json";
import type { CatalogueModel } from "../models/catalogue";
import { sandboxProvider } from "../models/provider-directory";
import type { ServerReply } from "../outbound/server-reply";
import type { AnsweringClient } from "../providers/provider-client";
import { createSandboxClient } from "../providers/sandbox/sandbox-client";
import { Refusal, storeUnavailable } from "../refusal";
import { simulatedEffects } from "../simulation/simulated-effects";
import { openSqliteFunds } from "../store/ledger/open-sqlite-funds";
import { createSqliteLedgerReader } from "../store/ledger-reads/sqlite-ledger-reader";
import { openTemporaryDatabase, testRequest } from "../store/testing/open-temporary-database";
import { complete } from "./complete";
import { OpenHolds } from "./holds/open-holds";
import { ReplyReader } from "./replies/reply-reader";
import { parseChatRequest } from "./requests/chat-request";
import { PreparedChatRequest } from "./requests/prepared-chat-request";
import { readClient } from "./requests/read-client";
import { ProviderLinks } from "./upstream/provider-links";

const limits = builtInRateLimits;

const one = toNano(1_000_000_000n);
const written = {
  rate: one,
  batchRate: null,
  price: { inputPer1m: one, outputPer1m: one },
  unitPrice: null,
  audioPrice: null,
};
const buildModel = (id: string): CatalogueModel => ({
  id,
  family: "chat",
  description: null,
  ...written,
  definedPrices: written,
  pricedAtMs: null,
  maxOutputTokens: 100,
  contextWindow: null,
  typicalOutputTokens: 10,
  routes: [{ provider: "sandbox", model: id }],
  source: "built_in",
  sandbox: true,
  defaultRateLimits: limits,
  createdAtMs: 0,
});

/** Longer than any test runs. */
const patient = { connectMs: 60_000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 };

/** @param answering wraps the provider that answers the calls, which is otherwise the sandbox. */
async function open({
  deadlines,
  answering = (sandbox) => sandbox,
}: {
  deadlines?: Partial<typeof patient>;
  answering?: (sandbox: AnsweringClient) => AnsweringClient;
} = {}) {
  const providerLimits = { ...patient, ...deadlines, maxConcurrentRequests: 1, circuit: null };
  const temporary = await openTemporaryDatabase();
  const simulated = simulatedEffects();
  // Deadlines are checked on a real timer, so a test of one needs a clock that goes on.
  const clock = deadlines ? { ...simulated.clock, monotonicMs: () => performance.now() } : simulated.clock;
  const effects = { ...simulated, clock };
  const funds = await openSqliteFunds({
    claim: temporary.claim(),
    secret: new Uint8Array(32),
    onFailure: () => {},
  });
  const payment = { id: "txn_p", amount: toNano(1_000_000_000n), reference: null, createdAtMs: 0 };
  await funds.recordPayment(payment, null, testRequest.event);
  const admissions = new EmbeddedAdmissions(funds, new SpendTracker({ limits: [], spent: [], nowMs: 0 }), {
    clock: effects.clock,
    currency: "USD",
  });
  const context = {
    admissions,
    funds,
    effects,
    openHolds: new OpenHolds(),
    catalogue: { find: buildModel, list: () => [] },
    rateLimitMirror: { effectiveLimits: () => limits },
    modelPermissionMirror: { allows: () => true },
    directory: { find: () => ({ ...sandboxProvider, limits: providerLimits }) },
    links: new ProviderLinks(effects.clock, () => answering(createSandboxClient({ clock }))),
    replyReader: new ReplyReader(() => {}),
    logFault: () => {},
    consoleUrl: "http://console.test",
  };
  const call = (model: string, stream: boolean, clientSignal = new AbortController().signal) => {
    const text = JSON.stringify({ model, stream, messages: [{ role: "user", content: "one two three" }] });
    return complete(context, {
      exchange: {
        requestId: `req_${model}`,
        clientSignal,
      },
      caller: { id: "key_1", keyId: "key_1", permissionsIn: () => new Set() },
      client: readClient(new Headers(), "chat/completions", null),
      projectId: "proj_1",
      idempotency: null,
      request: new PreparedChatRequest(
        parseChatRequest(parseJsonObject(Buffer.from(text), { entries: 1_000 })),
      ),
    });
  };
  return {
    admissions,
    funds,
    call,
    stored: () => createSqliteLedgerReader(temporary.reads).balance(),
    openHolds: context.openHolds,
    nowMs: effects.clock.nowMs,
    pass: effects.pass,
    database: temporary.reads,
    logged: () => temporary.reads.selectFrom("request_log").select(["outcome", "status"]).execute(),
    /** The call was charged, logged with this end, and holds nothing any more. */
    async expectChargedCall(end: { outcome: string; status: number }) {
      const [charge] = await temporary.reads
        .selectFrom("ledger_entries")
        .select(["prompt_tokens", "completion_tokens"])
        .where("kind", "=", "charge")
        .execute();
      expect(charge).toEqual({ prompt_tokens: 3, completion_tokens: 0 });
      expect(await temporary.reads.selectFrom("request_log").select(["outcome", "status"]).execute()).toEqual(
        [end],
      );
      expect(admissions.inFlight).toBe(0);
      const { held } = await createSqliteLedgerReader(temporary.reads).balance();
      expect(held).toBe(toNano(0n));
    },
    async [Symbol.asyncDispose]() {
      await funds.close();
      await temporary[Symbol.asyncDispose]();
    },
  };
}

test("a provider that never answers is given up at its deadline, and costs nothing", async () => {
  await using gateway = await open({ deadlines: { firstByteMs: 10 } });
  const refusal = await gateway.call("sandbox-hang", false).catch((reason: unknown) => reason);
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ status: 504, code: "provider_timeout" });
  expect(gateway.funds.available).toBe(toNano(1_000_000_000n));
  expect(gateway.admissions.inFlight).toBe(0);
  expect(await gateway.database.selectFrom("holds").select("id").execute()).toEqual([]);
  expect(await gateway.database.selectFrom("request_log").select("outcome").execute()).toEqual([
    { outcome: "provider_failed" },
  ]);
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
  await using gateway = await open({ answering: actingOnceSent(() => client.abort()) });
  const refusal = await gateway.call("sandbox-hang", false, client.signal).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Refusal);
  await gateway.expectChargedCall({ outcome: "client_gone", status: 499 });
});

test("a call whose access ends is charged for its prompt, and is no failure of its provider", async () => {
  let endAccess = () => {};
  await using gateway = await open({ answering: actingOnceSent(() => endAccess()) });
  endAccess = () => gateway.openHolds.endAccess("key_1");
  const refusal = await gateway.call("sandbox-hang", false).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 401, code: "invalid_api_key" });
  await gateway.expectChargedCall({ outcome: "client_gone", status: 401 });
});

test("a call whose access ends before it is sent is refused as such, and costs nothing", async () => {
  let endAccess = () => {};
  await using gateway = await open({
    answering: (sandbox) => ({ ...sandbox, reach: async () => endAccess() }),
  });
  endAccess = () => gateway.openHolds.endAccess("key_1");
  const refusal = await gateway.call("sandbox-echo", false).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await gateway.logged()).toEqual([{ outcome: "unsent", status: 401 }]);
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
  await using gateway = await open({ deadlines: { idleMs: 10 }, answering: silentAfterFirstWords });
  const text = await (await gateway.call("sandbox-chat", true)).text();
  const events = text.trim().split("\n\n");
  expect(JSON.parse(events.at(-1)?.slice("data: ".length) ?? "").error.code).toBe("provider_timeout");
  expect((await gateway.stored()).held).toBe(toNano(0n));
  const [charge] = await gateway.database
    .selectFrom("ledger_entries")
    .select(["basis", "prompt_tokens", "completion_tokens"])
    .where("kind", "=", "charge")
    .execute();
  const words = events.filter((event) => /"content":"[^"]/.test(event)).length;
  expect(words).toBeGreaterThan(0);
  expect(charge).toEqual({ basis: "estimated", prompt_tokens: 3, completion_tokens: words });
});

test("a call that outlives its hold is charged once, for its known usage", async () => {
  await using gateway = await open();
  const stream = await gateway.call("sandbox-chat", true);
  gateway.pass(2 * 60 * 60 * 1000 - 1);
  gateway.openHolds.settleOverdue(gateway.nowMs());
  expect((await gateway.stored()).held).toBeGreaterThan(toNano(0n));
  gateway.pass(1);
  gateway.openHolds.settleOverdue(gateway.nowMs());
  await stream.text();
  const charges = await gateway.database
    .selectFrom("ledger_entries")
    .select(["basis", "outcome", "prompt_tokens"])
    .where("kind", "=", "charge")
    .execute();
  expect(charges).toEqual([{ basis: "interrupted", outcome: "interrupted", prompt_tokens: 3 }]);
  expect((await gateway.stored()).held).toBe(toNano(0n));
});

test("a call that the store can't take is a 503 with its limits as they were, and is neither counted nor logged", async () => {
  await using gateway = await open();
  spyOn(gateway.funds, "placeHold").mockRejectedValueOnce(storeUnavailable());
  const logged = spyOn(gateway.funds, "logRefusal");
  const refusal = await gateway.call("sandbox-echo", false).catch((reason: unknown) => reason as Refusal);
  expect(refusal).toMatchObject({ status: 503, code: "store_unavailable" });
  expect((refusal as Refusal).details.headers).toMatchObject({
    "retry-after": "1",
    "x-ratelimit-remaining-requests": String(limits.max_requests_per_1_minute),
    "x-ratelimit-remaining-tokens": String(limits.max_tokens_per_1_minute),
  });
  expect(logged).not.toHaveBeenCalled();
  expect(gateway.admissions.inFlight).toBe(0);
  // Its place at the provider, which has only one, is free again.
  expect((await gateway.call("sandbox-echo", false)).status).toBe(200);
});
