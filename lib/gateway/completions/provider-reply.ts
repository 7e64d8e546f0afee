import { isBlank } from "../http/is-blank";
import type { HeldCall } from "./held-call";
import { isMisconfigured, providerFailed, refusalOfReply } from "./provider-failure";

const MAX_ERROR_BYTES = 64 * 1024;
/** Fewer are no progress, unless they are the blanks by which providers say that they are at work. */
const PROGRESS_BYTES = 1024;

/** A 200 of the call's provider. @throws Refusal for any other status, and whatever the connection throws. */
export async function fetchReply(call: HeldCall): Promise<Response> {
  const { connection, open } = call;
  const { link, route } = connection;
  const upstream = call.upstreamBody();
  const body = upstream instanceof Promise ? await upstream : upstream;
  let reply: Response;
  try {
    const reaching = link.reach();
    if (reaching) await reaching;
    connection.send();
    const { requestId, stream } = open;
    reply = await link.client.complete({ requestId, body, stream }, connection.signal);
  } catch (error) {
    throw connection.failureOf(error);
  }
  connection.progress();
  link.answered();
  if (reply.status === 200) {
    link.misconfigurations.forget(route.model);
    return reply;
  }
  if (isMisconfigured(reply.status)) link.misconfigurations.note(route.model, reply.status);
  const error = await readBounded(reply, MAX_ERROR_BYTES).catch(() => new Uint8Array());
  const text = new TextDecoder().decode(error);
  throw refusalOfReply(reply.status, reply.headers, link.client.conceal?.(text) ?? text);
}

/** Reads a reply's body whole. @throws Refusal 502 beyond `limit` bytes. */
export async function readBounded(
  reply: Response,
  limit: number,
  watched?: { progress(): void },
): Promise<Uint8Array<ArrayBuffer>> {
  const tooLong = () => providerFailed(`The provider sent more than ${limit} bytes`);
  const announced = Number(reply.headers.get("content-length") ?? Number.NaN);
  // A length that was announced is kept to by the connection; what was compressed has none any more.
  if (announced <= limit) return reply.bytes();
  if (announced > limit) throw tooLong();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let progressAt = 0;
  for await (const chunk of reply.body ?? []) {
    size += chunk.byteLength;
    if (size - progressAt >= PROGRESS_BYTES || chunk.every(isBlank)) {
      progressAt = size;
      watched?.progress();
    }
    if (size > limit) throw tooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** The body of a streamed reply. @throws Refusal 502 when it is no event stream. */
export function eventStreamOf(reply: Response): ReadableStream<Uint8Array> {
  const type = reply.headers.get("content-type") ?? "text/event-stream";
  if (reply.body && type.includes("event-stream")) return reply.body;
  void reply.body?.cancel();
  throw providerFailed(`The provider answered with ${type} instead of an event stream`);
}
