import type { SentRequest, ServerReply } from "../../http/outbound/server-reply";
import { describeFailureCause } from "../explain-failure";
import { ProviderRefusal } from "../provider-failure";
import { ReplyTooLong } from "../read-reply";

/** The server didn't answer, or not to the end, in time. */
class AnswerTimeout extends Error {}

/** A reply that was read whole. */
interface WholeReply {
  readonly status: number;
  readonly text: string;
  /** @param name in lower case. */
  header(name: string): string | null;
}

/**
 * Sends a request and reads the whole reply, both within `ms` and `maxBytes`, whatever the server does.
 * @throws AnswerTimeout, ReplyTooLong, or the connection's error.
 */
export async function askWithin(
  send: () => SentRequest | undefined,
  ms: number,
  maxBytes: number,
): Promise<WholeReply> {
  const sent = send();
  if (!sent) throw new TypeError("There is no server to ask");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(() => fail(new AnswerTimeout(`It gave no whole answer in ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([readWhole(sent.reply, maxBytes), late]);
  } finally {
    clearTimeout(timer);
    sent.cancel();
  }
}

async function readWhole(replied: Promise<ServerReply>, maxBytes: number): Promise<WholeReply> {
  const reply = await replied;
  const tooLong = () => new ReplyTooLong(`It sent more than ${Math.round(maxBytes / 1024)} KB`);
  if ((reply.contentLength ?? 0) > maxBytes) throw tooLong();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let piece = await reply.read(); piece !== null; piece = await reply.read()) {
    bytes += piece.byteLength;
    if (bytes > maxBytes) throw tooLong();
    pieces.push(piece);
  }
  const text = Buffer.concat(pieces).toString();
  return { status: reply.status, text, header: (name) => reply.header(name) };
}

/** Why there was no answer, in a sentence. */
export function describeUnanswered(error: unknown, provider: string): string {
  const cause =
    error instanceof AnswerTimeout || error instanceof ReplyTooLong
      ? error.message
      : describeFailureCause(new ProviderRefusal(502, "", { cause: error }), { provider, model: "" });
  return `${cause.replace(/\.$/, "")}.`;
}
