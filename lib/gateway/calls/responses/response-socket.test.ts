import { expect, test } from "bun:test";
import { OpenStreams } from "../../http/open-streams";
import { RequestContext } from "../../http/server";
import { ConnectionResponses } from "./connection-responses";
import { ResponseSockets } from "./response-socket";

const COMPLETED = '{"type":"response.completed"}';

/** A connection whose turns a test answers by hand. */
function connect({ hasRoom = () => true }: { readonly hasRoom?: () => boolean } = {}) {
  const openStreams = new OpenStreams();
  const headers = { upgrade: "websocket", authorization: "Bearer sk-1", "idempotency-key": "one" };
  const request = new Request("http://gateway.test/v1/responses", { headers });
  const context = new RequestContext(
    request,
    "req_1",
    () => null,
    () => null,
  );
  const sockets = new ResponseSockets({ nowMs: () => 0, monotonicMs: () => 0 });
  const { handler } = sockets.begin({ openStreams }, context, { keyId: "key_1", projectId: null });
  const sent: { readonly type: string; readonly status?: number }[] = [];
  const closes: number[] = [];
  const requests: Request[] = [];
  let answer = Promise.withResolvers<Response>();
  handler.opened(
    {
      send(text) {
        sent.push(JSON.parse(String(text)));
        return hasRoom() ? 1 : -1;
      },
      close: (code = 0) => void closes.push(code),
    },
    (turn) => {
      requests.push(turn);
      answer = Promise.withResolvers();
      return answer.promise;
    },
  );
  const reply = (events: readonly string[]) =>
    answer.resolve(
      new Response(events.map((event) => `data: ${event}\n\n`).join(""), {
        headers: { "content-type": "text/event-stream" },
      }),
    );
  return { handler, openStreams, sent, closes, requests, reply };
}

const create = JSON.stringify({ type: "response.create", model: "m", input: "Hi" });
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
};

test("a gateway that stops ends a connection that rests at once, and one that answers after its turn", async () => {
  const [resting, answering] = [connect(), connect()];
  answering.handler.received(create);
  for (const { openStreams } of [resting, answering]) openStreams.endEvents();
  expect(resting.closes).toEqual([1001]);
  expect(answering.closes).toEqual([]);
  answering.reply([COMPLETED]);
  await settle();
  expect(answering.sent).toEqual([{ type: "response.completed" }]);
  expect(answering.closes).toEqual([1001]);
});

test("no event is read from a turn before its client has read the last", async () => {
  let isFull = true;
  const { handler, sent, reply } = connect({ hasRoom: () => !isFull });
  handler.received(create);
  reply(['{"type":"one"}', '{"type":"two"}', COMPLETED]);
  await settle();
  expect(sent.map(({ type }) => type)).toEqual(["one"]);
  isFull = false;
  handler.drained();
  await settle();
  expect(sent.map(({ type }) => type)).toEqual(["one", "two", "response.completed"]);
});

test("a turn whose answer has no end is told as an error, and the next one is taken", async () => {
  const { handler, sent, reply } = connect();
  handler.received(create);
  reply(['{"type":"response.created"}']);
  await settle();
  expect(sent.at(-1)).toMatchObject({ type: "error", status: 502 });
  handler.received(create);
  reply([COMPLETED]);
  await settle();
  expect(sent.at(-1)).toEqual({ type: "response.completed" });
});

test("a turn is a request with the handshake's headers, but for those of a single call", async () => {
  const { handler, requests } = connect();
  handler.received(create);
  const [turn] = requests;
  const headers = Object.fromEntries(turn?.headers ?? []);
  expect(headers).toMatchObject({ authorization: "Bearer sk-1", "content-type": "application/json" });
  expect(headers["idempotency-key"]).toBeUndefined();
  expect(headers.upgrade).toBeUndefined();
  expect(await turn?.json()).toEqual({ model: "m", input: "Hi", stream: true });
});

test("a connection that closes aborts its turn and frees its place", () => {
  const { handler, requests, openStreams } = connect();
  handler.received(create);
  const reader = { keyId: "key_1", projectId: null };
  for (let count = 1; count < 250; count++) openStreams.enter(reader);
  expect(() => openStreams.enter(reader)).toThrow("250 streams");
  handler.closed();
  expect(requests[0]?.signal.aborted).toBe(true);
  openStreams.enter(reader);
});

test("a connection forgets its oldest responses when others need room", () => {
  const all = { held: 0 };
  const responses = new ConnectionResponses(all, 100);
  const note = (id: string, text: string) =>
    responses.note({
      id,
      projectId: "proj_1",
      createdAtMs: 0,
      model: "m",
      previousId: null,
      input: [{ id: "", text }],
      output: [],
      response: {},
    });
  note("resp_1", "a".repeat(20));
  note("resp_2", "b".repeat(20));
  expect(responses.find("resp_1")?.id).toBe("resp_1");
  note("resp_3", "c".repeat(60));
  expect([1, 2, 3].map((number) => responses.find(`resp_${number}`) !== null)).toEqual([false, false, true]);
  note("resp_4", "d".repeat(1_000));
  expect(responses.find("resp_4")).toBeNull();
  responses.forgetAll();
  expect(all.held).toBe(0);
});
