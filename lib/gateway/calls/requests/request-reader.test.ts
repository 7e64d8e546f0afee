import { afterEach, beforeAll, expect, test } from "bun:test";
import { installPlainMessages } from "@/lib/contract/describe-issue";
import { completionOperations } from "@/lib/contract/operations/calls/completions";
import { awaitRefusal } from "../../testing/catch-refusal";
import type { Counting, PreparedRequest } from "./prepared-request";
import { type BodyKind, RequestReader, readRequest } from "./request-reader";

beforeAll(installPlainMessages);

const { bodyBounds } = completionOperations.createChatCompletion;
const toBytes = (text: string) => new TextEncoder().encode(text);
/** Pieces as they arrive over a connection. */
function splitPieces(body: string): Uint8Array[] {
  const bytes = toBytes(body);
  const count = Math.max(1, Math.ceil(bytes.length / 65_536));
  return Array.from({ length: count }, (_, index) => bytes.slice(index * 65_536, (index + 1) * 65_536));
}
const terms = {
  protocol: "chat",
  baseUrl: "",
  account: "",
  model: "theirs",
  maxTokens: 7,
  outputLimitField: "max_tokens",
  leftOut: [],
} as const;
const models: Counting[] = [
  { kinds: ["openai"], speaksMessages: false, contextWindow: null, unit: null },
  { kinds: ["sandbox"], speaksMessages: false, contextWindow: 1_000, unit: null },
];

let threads: Worker[] = [];
let faults: string[] = [];
let opened: RequestReader[] = [];
afterEach(() => {
  for (const reader of opened) reader.close();
  [threads, faults, opened] = [[], [], []];
});

function open(): RequestReader {
  const reader = new RequestReader(
    (reason) => faults.push(reason),
    () => {
      const thread = new Worker(new URL("./request-thread.ts", import.meta.url));
      threads.push(thread);
      return thread;
    },
  );
  opened.push(reader);
  return reader;
}

async function describeRefusal(work: unknown) {
  const { status, code, details } = await awaitRefusal(Promise.resolve(work));
  return [status, code, details.param];
}

function expectCompletion<Request extends PreparedRequest>(request: Request) {
  if (request.answeredBy === "task") throw new Error("This is an order");
  return request as Exclude<Request, { readonly answeredBy: "task" }>;
}

const text = "Größe, 長さ and so on. ".repeat(10_000);
const long = { model: "m", stream: true, max_tokens: 5, messages: [{ role: "user", content: text }] };
const many = { ...long, messages: Array.from({ length: 2_000 }, () => ({ role: "user", content: "x" })) };
const image = { type: "image_url", image_url: { url: `data:image/png;base64,${"A".repeat(200_000)}` } };
const optionsFor = (kind: BodyKind) => ({ kind, wantsHash: true });

test.each<[string, BodyKind, object]>([
  ["a long text", "chat completion", long],
  ["many messages", "message as chat completion", many],
  ["an image", "chat completion", { ...long, messages: [{ role: "user", content: [image] }] }],
  ["a prompt", "chat completion", { ...long, prompt: "Be brief." }],
  ["a message of Anthropic's form", "anthropic message", { ...long, system: text }],
])("%s is the same request, read on the thread or here", async (_, kind, body) => {
  const bytes = toBytes(JSON.stringify(body));
  const here = expectCompletion(readRequest(bytes, optionsFor(kind), bodyBounds));
  const pieces = splitPieces(JSON.stringify(body));
  const there = expectCompletion(await open().read(pieces, optionsFor(kind), bodyBounds));
  expect(threads).toHaveLength(1);
  const { model, stream, max_tokens, n } = here.fields;
  expect(there.fields).toMatchObject({ model, stream, max_tokens, ...(n && { n }) });
  expect(there.bodyHash).toBe(here.bodyHash);
  for (const reader of models)
    expect((await there.estimate(reader)).images).toBe(here.estimate(reader).images);
  expect(await there.estimate(models[1] as (typeof models)[1])).toEqual(
    here.estimate(models[1] as (typeof models)[1]),
  );
  expect(new TextDecoder().decode((await there.upstream(terms)) as Uint8Array)).toBe(here.upstream(terms));
  expect(JSON.stringify(there.fields).length).toBeLessThan(500);
});

test("a long prompt without messages is an order of which the text is not kept", async () => {
  const body = JSON.stringify({ model: "m", prompt: text });
  const options = optionsFor("chat completion");
  const here = readRequest(toBytes(body), options, bodyBounds);
  const there = await open().read(splitPieces(body), options, bodyBounds);
  expect(here).toMatchObject({ answeredBy: "task", order: { prompt: text, messages: [] } });
  expect(there).toMatchObject({ answeredBy: "task", order: null, fields: { model: "m" } });
  expect(there.bodyHash).toBe(here.bodyHash);
});

test("refuses with the same message on the thread, and reads a short request without it", async () => {
  const reader = open();
  const refuse = (body: string) =>
    describeRefusal(reader.read(splitPieces(body), optionsFor("chat completion"), bodyBounds));
  const padded = (body: object) => JSON.stringify(body) + " ".repeat(200_000);
  expect(await refuse(padded({ ...long, n: 0 }))).toEqual([400, "invalid_value", "n"]);
  expect(await refuse(`{"a":${"[".repeat(200_000)}`)).toEqual([400, "too_deep", "body"]);
  expect(await refuse(`{"a":[${"0,".repeat(bodyBounds.entries)}0]}`)).toEqual([
    400,
    "too_many_entries",
    "body",
  ]);
  const own = open();
  expect(
    own.read(
      splitPieces('{"model":"m","messages":[{"role":"user","content":"x"}]}'),
      optionsFor("chat completion"),
      bodyBounds,
    ),
  ).not.toBeInstanceOf(Promise);
  expect(threads).toHaveLength(1);
});

test("bodies beyond the queue are turned away, and queued ones are read", async () => {
  const reader = open();
  const outcomes = await Promise.all(
    Array.from({ length: 80 }, async () => {
      const read = reader.read(splitPieces(JSON.stringify(long)), optionsFor("chat completion"), bodyBounds);
      return Promise.resolve(read).then(
        ({ fields }) => fields.model,
        () => describeRefusal(read),
      );
    }),
  );
  expect(outcomes.filter((outcome) => outcome === "m")).toHaveLength(65);
  expect(outcomes.filter((outcome) => Array.isArray(outcome))).toEqual(
    Array.from({ length: 15 }, () => [503, "too_much_at_once", undefined]),
  );
});

test("requests are lost with their thread, each with one clear error, and the next one starts another", async () => {
  const reader = open();
  const read = async () =>
    expectCompletion(
      await reader.read(splitPieces(JSON.stringify(long)), optionsFor("chat completion"), bodyBounds),
    );
  const lost = await read();
  const closed = new Promise((resolve) => threads[0]?.addEventListener("close", resolve));
  threads[0]?.terminate();
  await closed;
  expect(await describeRefusal(lost.upstream(terms))).toEqual([503, "too_much_at_once", undefined]);
  expect(faults).toHaveLength(1);
  const next = await read();
  expect(String(await next.upstream(terms)).length).toBeGreaterThan(200_000);
  lost.release();
  next.release();
});
