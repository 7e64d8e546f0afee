import { expect, spyOn, test } from "bun:test";
import { toNano } from "@/lib/money/amount";
import type { ProviderRequest } from "../providers/provider-client";
import { Refusal, storeUnavailable } from "../refusal";
import { deadlines, limits, openCalls, SWEEP_MS } from "./testing/open-calls";
import { ProviderConnection } from "./upstream/provider-connection";

const { send } = ProviderConnection.prototype;

function readLog({ database }: Pick<Awaited<ReturnType<typeof openCalls>>, "database">) {
  return database.selectFrom("request_log").select(["outcome", "status"]).execute();
}

/** Resolves with the connection of the next call once it is sent. */
function waitUntilSent(): Promise<ProviderConnection> {
  const sent = Promise.withResolvers<ProviderConnection>();
  spyOn(ProviderConnection.prototype, "send").mockImplementationOnce(function (
    this: ProviderConnection,
    request,
  ) {
    sent.resolve(this);
    return send.call(this, request);
  });
  return sent.promise;
}

test("a provider that never answers is given up at its deadline, and costs nothing", async () => {
  await using gateway = await openCalls();
  using cut = spyOn(ProviderConnection.prototype, "cut");
  const sent = waitUntilSent();
  const refused = gateway.call("sandbox-hang", false).catch((reason: unknown) => reason);
  await sent;
  gateway.pass(deadlines.firstByteMs - 1);
  expect(cut).not.toHaveBeenCalled();
  gateway.pass(SWEEP_MS);
  expect(cut).toHaveBeenCalledWith("too slow");
  const refusal = await refused;
  expect(refusal).toBeInstanceOf(Refusal);
  expect(refusal).toMatchObject({ status: 504, code: "provider_timeout" });
  expect(gateway.funds.available).toBe(toNano(1_000_000_000n));
  expect(gateway.admissions.inFlight).toBe(0);
  expect(await gateway.database.selectFrom("holds").select("id").execute()).toEqual([]);
  expect(await gateway.database.selectFrom("request_log").select("outcome").execute()).toEqual([
    { outcome: "provider_failed" },
  ]);
});

test.each([
  ["client leaves", (_: ProviderConnection, client: AbortController) => client.abort(), 499],
  ["access ends", (connection: ProviderConnection) => connection.cut("access ended"), 401],
])(
  "a call whose %s is charged for its prompt, and is no failure of its provider",
  async (_name, end, status) => {
    await using gateway = await openCalls();
    const client = new AbortController();
    const sent = waitUntilSent();
    const refused = gateway.call("sandbox-hang", false, client.signal).catch((error: unknown) => error);
    end(await sent, client);
    gateway.pass(SWEEP_MS);
    expect(await refused).toBeInstanceOf(Refusal);
    expect(gateway.admissions.inFlight).toBe(0);
    expect((await gateway.stored()).held).toBe(toNano(0n));
    expect(await readLog(gateway)).toEqual([{ outcome: "client_gone", status }]);
  },
);

test("a call whose access ends before it is sent is refused as such, and costs nothing", async () => {
  await using gateway = await openCalls();
  spyOn(ProviderConnection.prototype, "send").mockImplementationOnce(function (
    this: ProviderConnection,
    request,
  ) {
    this.cut("access ended");
    return send.call(this, request);
  });
  const refusal = await gateway.call("sandbox-echo", false).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ status: 401, code: "invalid_api_key" });
  expect(await readLog(gateway)).toEqual([{ outcome: "unsent", status: 401 }]);
});

/** Sends a call whose stream falls silent after its first words, until it is canceled. */
async function silencedAfterFirstWords(
  connection: ProviderConnection,
  request: ProviderRequest,
  onSilent: () => void,
) {
  const reply = await send.call(connection, request);
  const canceled = new Promise<never>((_, reject) => {
    spyOn(connection, "cut").mockImplementationOnce((reason) => {
      ProviderConnection.prototype.cut.call(connection, reason);
      reject(new Error("canceled"));
    });
  });
  canceled.catch(() => {});
  let hasWord = false;
  const read = async () => {
    if (hasWord) onSilent();
    const bytes = hasWord ? await canceled : await reply.read();
    hasWord = /"content":"\w/.test(Buffer.from(bytes ?? []).toString());
    return bytes;
  };
  return { status: reply.status, contentLength: null, header: reply.header.bind(reply), read };
}

test("a stream that falls silent is given up at its deadline, and pays for what came", async () => {
  await using gateway = await openCalls();
  const silent = Promise.withResolvers<void>();
  spyOn(ProviderConnection.prototype, "send").mockImplementationOnce(function (
    this: ProviderConnection,
    request,
  ) {
    return silencedAfterFirstWords(this, request, silent.resolve);
  });
  const text = (await gateway.call("sandbox-chat", true)).text();
  await silent.promise;
  gateway.pass(SWEEP_MS);
  gateway.pass(deadlines.idleMs);
  const events = (await text).trim().split("\n\n");
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
  await using gateway = await openCalls();
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
  await using gateway = await openCalls();
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
