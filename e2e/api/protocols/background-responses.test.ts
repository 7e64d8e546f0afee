import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setSystemTime, test } from "bun:test";
import type OpenAI from "openai";
import { isOnPostgres } from "@/lib/gateway/database/testing/open-temporary-database";
import { catchRefusal } from "../../support/clients/official-client";
import { readReceipt } from "../../support/clients/read-requests";
import { fetchWithKey } from "../../support/clients/send";
import { until } from "../../support/clients/until";
import { type HeldAnswer, holdAnswer } from "../../support/protocols/hold-answer";
import { type ServedResponses, serveResponses, told } from "../../support/protocols/serve-responses";
import { createInbox } from "../../support/servers/inbox";
import { queryDatabase } from "../../support/stored-data/query-database";

type Event = OpenAI.Responses.ResponseStreamEvent;
type Body = OpenAI.Responses.ResponseCreateParamsNonStreaming;

let served: ServedResponses;
let client: OpenAI;

beforeAll(async () => {
  served = await serveResponses();
  client = served.client;
});
beforeEach(() => served.reset());
afterAll(() => served.close());

const begin = (body: Partial<Body> = {}, headers: Record<string, string> = {}) =>
  client.responses.create({ model: "chat", input: "Hi", ...body, background: true } as Body, { headers });
const ended = async (id: string) => {
  await until(`${id} has ended`, async () => {
    const { status } = await client.responses.retrieve(id);
    return status !== "queued" && status !== "in_progress";
  });
  return client.responses.retrieve(id);
};
const succeeds = (call: PromiseLike<unknown>) =>
  Promise.resolve(call).then(
    () => true,
    () => false,
  );
const toRequestId = (id: string) => id.replace("resp_", "req_");
const receiptOf = (id: string) => readReceipt(served.gateway, toRequestId(id));
const readAll = async (events: AsyncIterable<Event>) => {
  const all: Event[] = [];
  for await (const event of events) all.push(event);
  return all;
};
const stream = (id: string, starting_after?: number) =>
  client.responses.retrieve(id, {
    stream: true,
    ...(starting_after !== undefined && { starting_after }),
  });
/** Lets the provider of chats begin to answer, and wait. */
function hold(): HeldAnswer {
  const held = holdAnswer();
  served.chat.answerWith(({ aborted }) => held.answer(aborted));
  return held;
}

describe.each(["chat", "native", "anthropic"] as const)("a response of %s in the background", (model) => {
  test("is queued at once, and has its output, its charge and its receipt in the end", async () => {
    const begun = await begin({ model, metadata: { topic: "greeting" } });
    expect(begun).toMatchObject({
      status: "queued",
      background: true,
      store: true,
      model,
      metadata: { topic: "greeting" },
      output: [],
      usage: null,
    });
    const response = await ended(begun.id);
    expect(response).toMatchObject({
      id: begun.id,
      status: "completed",
      background: true,
      output_text: "Hello",
    });
    const receipt = await receiptOf(begun.id);
    expect(receipt.request).toMatchObject({ outcome: "completed", status: 200 });
    expect(Number(receipt.request.amount)).toBeGreaterThan(0);
    const next = await client.responses.create({ model, input: "Sure?", previous_response_id: begun.id });
    expect(next.status).toBe("completed");
    expect(served.readSent()).toContain("Hello");
    expect(served.readSent()).not.toContain('"background"');
    expect((await client.responses.inputItems.list(begun.id)).data).toHaveLength(1);
  });

  test("is told by the same events at once, and again", async () => {
    const events = await readAll(
      await client.responses.create({ model, input: "Hi", background: true, stream: true }),
    );
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      "response.created",
      "response.queued",
      "response.in_progress",
    ]);
    const last = events.at(-1) as Extract<Event, { type: "response.completed" }>;
    expect(last).toMatchObject({
      type: "response.completed",
      response: { background: true, status: "completed" },
    });
    const { id } = last.response;
    expect(await readAll(await stream(id))).toEqual(events);
    expect(await readAll(await stream(id, 4))).toEqual(events.slice(5));
    expect((await client.responses.retrieve(id)).output).toEqual(last.response.output);
  });
});

test("a client that leaves at the first byte comes back to the same events, then to those that come", async () => {
  const held = hold();
  const left = await client.responses.create({ model: "chat", input: "Hi", background: true, stream: true });
  let id = "";
  for await (const event of left) {
    if (event.type === "response.created") id = event.response.id;
    break;
  }
  left.controller.abort();
  held.say("Hel");
  await held.begun;
  const following = readAll(await stream(id, 0));
  await until("it is under way", async () => (await client.responses.retrieve(id)).status === "in_progress");
  held.say("lo");
  held.end();
  const events = await following;
  expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index + 1));
  const texts = events.flatMap((event) => (event.type === "response.output_text.delta" ? [event.delta] : []));
  expect(texts).toEqual(["Hel", "lo"]);
  expect((await ended(id)).output_text).toBe("Hello");
});

test("one that is cancelled, also twice at once, stops its provider and pays for what came", async () => {
  const held = hold();
  const { id } = await begin();
  held.say("Hel");
  await held.begun;
  const following = readAll(await stream(id));
  const cancelled = await Promise.all([client.responses.cancel(id), client.responses.cancel(id)]);
  expect(cancelled.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
  await held.aborted;
  const { request } = await receiptOf(id);
  expect(request).toMatchObject({ outcome: "client_gone", completion_tokens: 1 });
  expect(Number(request.amount)).toBeGreaterThan(0);
  expect((await client.responses.cancel(id)).status).toBe("cancelled");
  expect((await following).at(-1)).toMatchObject({
    type: "response.incomplete",
    response: { status: "cancelled" },
  });
  const goOn = client.responses.create({ model: "chat", input: "And?", previous_response_id: id });
  expect((await catchRefusal(goOn)).message).toContain("cancelled");
  const found = await served.gateway.admin<{ data: object[] }>(
    "GET",
    "/organization/audit_logs?event_types[]=response.cancelled",
  );
  expect(found.data[0]).toMatchObject({ changes: [{ object: "responses", id }] });
});

test("only one's own responses of the background are cancelled", async () => {
  const awaited = await client.responses.create({ model: "chat", input: "Hi" });
  expect((await catchRefusal(client.responses.cancel(awaited.id))).status).toBe(400);
  const streamed = catchRefusal(client.responses.retrieve(awaited.id, { stream: true }));
  expect([(await streamed).status, (await streamed).param]).toEqual([400, "stream"]);
  const { id } = await begin();
  await ended(id);
  expect((await client.responses.cancel(id)).status).toBe("completed");
  const stranger = await served.createStranger();
  for (const call of [stranger.responses.cancel(id), stranger.responses.retrieve(id, { stream: true })])
    expect((await catchRefusal(call)).status).toBe(404);
});

test("one under way can't be gone on from, nor deleted; once it has ended it can", async () => {
  const held = hold();
  const { id } = await begin();
  await held.begun;
  const goOn = () => client.responses.create({ model: "native", input: "And?", previous_response_id: id });
  const { code, message } = await catchRefusal(goOn());
  expect([code, message]).toEqual(["previous_response_not_found", expect.stringContaining("is still")]);
  expect((await catchRefusal(client.responses.delete(id))).status).toBe(409);
  held.end();
  await ended(id);
  await goOn();
  await until("its process has let it go", () => succeeds(client.responses.delete(id)));
  expect((await catchRefusal(client.responses.retrieve(id))).status).toBe(404);
});

test("what a call is refused for, it is refused for at once, and nothing is kept of it", async () => {
  const { setLimits } = served.gateway;
  await setLimits("chat", { max_requests_per_1_minute: 0 });
  const { status, code } = await catchRefusal(begin());
  expect([status, code]).toEqual([429, "max_requests_per_1_minute"]);
  await setLimits("chat", { max_requests_per_1_minute: 1_000 });
  for (const [body, param] of [
    [{ store: false }, "store"],
    [{ truncation: "auto" }, "truncation"],
    [{ tools: "none" }, "tools"],
  ] as const)
    expect((await catchRefusal(begin(body as never))).param).toBe(param);
  await served.keep("off");
  const unkept = await catchRefusal(begin());
  expect([unkept.status, unkept.param]).toEqual([400, "background"]);
});

test("a provider's failure, or the end of its key's access, ends it with the reason", async () => {
  served.chat.answerWith(() => Response.json({ error: { message: "Broken" } }, { status: 500 }));
  const { id } = await begin();
  const failed = await ended(id);
  expect(failed).toMatchObject({ status: "failed", error: { code: "provider_error" }, output: [] });
  expect((await readAll(await stream(id))).map(({ type }) => type)).toEqual([
    "response.created",
    "response.queued",
    "response.failed",
  ]);
  const held = hold();
  const account = await served.gateway.admin<{ id: string; api_key: { value: string } }>(
    "POST",
    `/organization/projects/${served.gateway.projectId}/service_accounts`,
    { name: "Short" },
  );
  const short = client.withOptions({ apiKey: account.api_key.value });
  const begun = await short.responses.create({ model: "chat", input: "Hi", background: true });
  await held.begun;
  const { baseUrl, adminKey, projectId } = served.gateway;
  const path = `/organization/projects/${projectId}/service_accounts/${account.id}`;
  await fetchWithKey(`${baseUrl}${path}`, { method: "DELETE", key: adminKey });
  await held.aborted;
  expect(await ended(begun.id)).toMatchObject({ status: "failed", error: { code: "invalid_api_key" } });
});

test("a restart in the middle ends it as failed, charged for what came, and its events tell so", async () => {
  const held = hold();
  const { id } = await begin();
  held.say("Hel");
  await held.begun;
  await until("it is under way", async () => (await client.responses.retrieve(id)).status === "in_progress");
  await served.gateway.restart();
  expect(await ended(id)).toMatchObject({ status: "failed", error: { code: "server_error" } });
  expect((await client.responses.retrieve(id)).error?.message).toContain("stopped");
  expect((await readAll(await stream(id))).at(-1)?.type).toBe("response.failed");
  expect(Number((await receiptOf(id)).request.amount)).toBeGreaterThan(0);
});

test("a repeat with its key gets the response as it stands, and is charged once", async () => {
  const held = hold();
  const key = { "idempotency-key": crypto.randomUUID() };
  const [one, other] = await Promise.all([begin({}, key), begin({}, key)]);
  expect(other.id).toBe(one.id);
  expect((await catchRefusal(begin({ input: "Something else" }, key))).code).toBe("idempotency_conflict");
  held.end();
  await ended(one.id);
  expect(await begin({}, key)).toMatchObject({ id: one.id, status: "completed" });
  expect(served.chat.visits).toHaveLength(1);
});

test("a conversation gets what a response of the background said once it has succeeded", async () => {
  const conversation = await client.conversations.create();
  const held = hold();
  const cancelled = await begin({ conversation: conversation.id });
  await held.begun;
  expect((await catchRefusal(begin({ conversation: conversation.id }))).code).toBe("conversation_locked");
  await client.responses.cancel(cancelled.id);
  await held.aborted;
  served.chat.answerWith(() => ({ message: { content: "Hello" } }));
  const goOn = () => begin({ conversation: conversation.id });
  await until("the conversation is free", () => succeeds(goOn()));
  await until("it has ended", () => succeeds(goOn()));
  expect((await client.conversations.items.list(conversation.id)).data.length).toBeGreaterThanOrEqual(2);
});

test("a native provider's items are kept as they came", async () => {
  served.native.answerWith(() => ({ output: [told("msg_theirs", "Ahoy")] }));
  const { id } = await begin({ model: "native" });
  expect((await ended(id)).output).toMatchObject([{ id: "msg_theirs" }]);
});

describe("a callback", () => {
  let inbox: ReturnType<typeof createInbox>;
  beforeEach(() => {
    inbox = createInbox();
  });
  afterEach(() => inbox.close());

  const beginTelling = (body: object = {}) =>
    begin({ ...body, callback_url: `${inbox.url}done?token=1` } as Partial<Body>);
  /** The next callback, as the official client verifies and reads it at the gateway's time. */
  async function next(): Promise<Readonly<Record<string, unknown>>> {
    const { body, headers } = await inbox.next();
    const { admin, projectId, runtime } = served.gateway;
    const path = `/organization/projects/${projectId}/callback_secret`;
    const { secret } = await admin<{ secret: string }>("GET", path);
    setSystemTime(runtime.clock.nowMs());
    try {
      return { ...(await client.webhooks.unwrap(body, headers, secret)), webhookId: headers["webhook-id"] };
    } finally {
      setSystemTime();
    }
  }
  const event = (id: string, type: string) => ({
    id: id.replace("resp_", "evt_"),
    object: "event",
    created_at: expect.any(Number),
    type,
    data: { id },
    webhookId: id,
  });

  test.each(["chat", "native", "anthropic"])("tells the end of a response of %s, signed", async (model) => {
    const { id } = await beginTelling({ model });
    expect(await next()).toEqual(event(id, "response.completed"));
    expect(served.readSent()).not.toContain(inbox.url);
    expect((await client.responses.retrieve(id)).status).toBe("completed");
  });

  test("tells each other end, too", async () => {
    served.chat.answerWith(() => ({ message: { content: "Hel" }, finish_reason: "length" }));
    const incomplete = await beginTelling();
    expect(await next()).toEqual(event(incomplete.id, "response.incomplete"));
    served.chat.answerWith(() => new Response("{}", { status: 500 }));
    const failed = await beginTelling();
    expect(await next()).toEqual(event(failed.id, "response.failed"));
    const held = hold();
    const cancelled = await beginTelling();
    await held.begun;
    await client.responses.cancel(cancelled.id);
    await client.responses.cancel(cancelled.id);
    expect(await next()).toEqual(event(cancelled.id, "response.cancelled"));
  });

  // On PostgreSQL, its clock counts.
  test.skipIf(isOnPostgres)("is tried again until it is taken", async () => {
    inbox.refuse();
    const { id } = await beginTelling();
    await next();
    const tries = () =>
      queryDatabase(served.gateway, `SELECT tries FROM response_callbacks WHERE response_id = '${id}'`);
    await until("the try is stored", async () => JSON.stringify(await tries()) === '[{"tries":1}]');
    served.gateway.stepWallClock(10_000);
    expect(await next()).toEqual(event(id, "response.completed"));
  });

  test("tells the end that a restart makes, once", async () => {
    const held = hold();
    const { id } = await beginTelling();
    await held.begun;
    await served.gateway.restart();
    expect(await next()).toEqual(event(id, "response.failed"));
    served.chat.answerWith(() => ({ message: { content: "Hello" } }));
    await served.gateway.restart();
    const later = await beginTelling();
    // What was told before would come first.
    expect((await next()).data).toEqual({ id: later.id });
  });

  test("to an address that may not be told, and of a response that is awaited, is refused", async () => {
    for (const body of [
      { background: true, callback_url: "http://example.com/" },
      { background: true, callback_url: "https://10.0.0.1/" },
      { background: true, callback_url: 7 },
      { callback_url: "https://example.com/" },
    ])
      expect(
        await catchRefusal(client.responses.create({ model: "chat", input: "Hi", ...body } as never)),
      ).toMatchObject({ status: 400, param: "callback_url" });
    expect(served.chat.visits).toEqual([]);
  });
});
