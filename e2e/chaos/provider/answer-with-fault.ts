import { setTimeout } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import { type Answering, answerAsScripted, streamEvents, streamed } from "./answer-as-scripted";
import { type ProviderFault, wordsBefore } from "./provider-script";

const MEGABYTE = 1024 * 1024;
const LINE_MEGABYTES = 100;
const BOMB_MEGABYTES = 256;
/** Nearly as much as the gateway accepts of a whole reply, and of one event. */
const MAX_MEGABYTES = { whole: 63, event: 63 };
const ERROR_BYTES = 60 * 1024;
const DRIP_MS = 20;
const RETRY_AFTER = { "retry-after": "3" };
const line = new Uint8Array(MEGABYTE).fill(0x78);
/** Data that is expensive to parse, because of its depth or its number of elements. */
const dear: Partial<Record<ProviderFault, Uint8Array>> = {
  brackets: new Uint8Array(MEGABYTE).fill(0x5b),
  elements: Buffer.from('{"a":[]},'.repeat(MEGABYTE / 9)),
};
let bomb: Uint8Array<ArrayBuffer> | null = null;
const encoders: Partial<Record<ProviderFault, (text: string) => Uint8Array>> = {
  gzip: Bun.gzipSync,
  br: brotliCompressSync,
  zstd: Bun.zstdCompressSync,
};

/** Answers with the fault that the script asks for. The provider waives its invoice where it sends nothing usable. */
export async function answerWithFault(answering: Answering, fault: ProviderFault): Promise<Response> {
  const encode = encoders[fault];
  if (encode) return encoded(await answerAsScripted(answering), String(fault), encode);
  if (fault === "small pieces") return inPieces(await answerAsScripted(answering));
  if (fault === "carriage returns") return withCarriageReturns(await answerAsScripted(answering));
  const unusable = answerUnusable(answering, fault);
  if (unusable) {
    await answering.waive();
    return unusable;
  }
  if (answering.isStream) return streamed(breakStream(answering, fault));
  await answering.waive();
  return streamed(breakWhole(answering, fault), "application/json");
}

/** Answers that are recognizably unusable from their first byte; null for other faults. */
function answerUnusable({ signal, isStream }: Answering, fault: ProviderFault) {
  if (typeof fault === "number") {
    // A 400 concerns the request, so its message reaches the caller. Other messages must stay secret.
    const message = fault === 400 ? "top_k is not known" : "provider-secret";
    // A front that has lost its server asks for no rest.
    return refuse(fault, message, fault === 502 ? undefined : RETRY_AFTER);
  }
  const type = isStream ? "text/event-stream" : "application/json";
  switch (fault) {
    case "a rest after 502":
      return refuse(502, "provider-secret", RETRY_AFTER);
    // A client that followed a 307 would send the call again.
    case "redirect":
      return new Response(null, { status: 307, headers: { location: "/v1/chat/completions" } });
    case "no completion":
      return new Response("<html>provider-secret</html>", { headers: { "content-type": "text/html" } });
    case "an error of brackets":
      return new Response("[".repeat(ERROR_BYTES), { status: 400 });
    case "a bomb":
      return new Response(packBomb(), { headers: { "content-type": type, "content-encoding": "gzip" } });
    case "silent":
      return untilGone(signal).then(() => new Response());
    case "silent after its headers":
      return streamed(sayAndWait(isStream ? ": wait\n\n" : " ", signal), type);
    default:
      return null;
  }
}

function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: { message } }, { status, headers });
}

/** A few hundred kilobytes that unpack to 256 MB of blanks. Compressing them takes a second, so the result is kept. */
function packBomb(): Uint8Array<ArrayBuffer> {
  bomb ??= Bun.gzipSync(new Uint8Array(BOMB_MEGABYTES * MEGABYTE).fill(0x20));
  return bomb;
}

async function* breakStream(answering: Answering, fault: ProviderFault): AsyncGenerator<string | Uint8Array> {
  const events = streamEvents(answering);
  const words = wordsBefore(answering.script);
  if (words === 0) await answering.waive();
  for (let word = 0; word < words; word++) yield (await events.next()).value ?? "";
  await events.return(undefined);
  yield* breakOff(answering, fault, {
    "no end": 'data: {"choi',
    "no JSON": "data: oops\n\n",
    "an error": 'data: {"error":{"message":"provider-secret"}}\n\n',
    brackets: 'data: {"choices":[',
    elements: 'data: {"choices":[',
    "an endless line": "data: ",
    "a byte now and then": "d",
    "blanks without end": ": ping\n\n",
  });
}

async function* breakWhole(answering: Answering, fault: ProviderFault): AsyncGenerator<string | Uint8Array> {
  yield* breakOff(answering, fault, {
    "no end": '{"choices":[{',
    "no JSON": "oops",
    "an error": '{"error":{"message":"provider-secret"}}',
    brackets: '{"choices":[',
    elements: '{"choices":[',
    "an endless line": '{"choices":["',
    "silent half-way": '{"choices":[',
    "a byte now and then": "1",
    "blanks without end": "\n",
  });
}

async function* breakOff(
  { signal, isStream }: Answering,
  fault: ProviderFault,
  pieces: Partial<Record<ProviderFault, string>>,
) {
  const piece = pieces[fault] ?? "";
  if (piece) yield piece;
  if (fault === "an endless line")
    for (let megabytes = 0; megabytes < LINE_MEGABYTES; megabytes++) yield line;
  const repeated = dear[fault];
  if (repeated) {
    const most = isStream ? MAX_MEGABYTES.event : MAX_MEGABYTES.whole;
    for (let megabytes = 0; megabytes < most; megabytes++) yield repeated;
    if (isStream) yield "0]}\n\n";
  }
  if (fault === "silent half-way") await untilGone(signal);
  if (fault === "a byte now and then" || fault === "blanks without end")
    yield* repeatUntilGone(piece, signal);
}

async function* repeatUntilGone(piece: string, signal: AbortSignal) {
  for (let gone = signal.aborted; !gone; gone = signal.aborted) {
    await setTimeout(DRIP_MS);
    yield piece;
  }
}

async function* sayAndWait(text: string, signal: AbortSignal) {
  yield text;
  await untilGone(signal);
}

function untilGone(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

async function encoded(reply: Response, encoding: string, encode: (text: string) => Uint8Array) {
  const headers = new Headers(reply.headers);
  headers.set("content-encoding", encoding);
  return new Response(new Uint8Array(encode(await reply.text())), { headers });
}

/** Sends three bytes at a time, so that no event, line or multi-byte character arrives in one piece. */
async function inPieces(reply: Response): Promise<Response> {
  const bytes = await reply.bytes();
  const pieces = (async function* () {
    for (let at = 0; at < bytes.length; at += 3) {
      yield bytes.subarray(at, at + 3);
      await new Promise(setImmediate);
    }
  })();
  return streamed(pieces, reply.headers.get("content-type") ?? "");
}

/** Ends every line except the last with CRLF, and puts a comment before the events. */
async function withCarriageReturns(reply: Response): Promise<Response> {
  const text = await reply.text();
  const end = "data: [DONE]\n\n";
  const events = text.endsWith(end) ? text.slice(0, -end.length).replaceAll("\n", "\r\n") : text;
  const body = text.endsWith(end) ? `: é\r\n\r\n${events}${end}` : text.replaceAll(",", ",\r\n");
  return new Response(body, { headers: reply.headers });
}
