import type { TokenUsage } from "@/lib/money/charge";
import type { BodyPieces } from "../http/body-reader";
import { respondWith } from "../http/pieced-response";
import type { ProviderReply } from "../providers/provider-client";
import type { AnswerContext, Completion } from "./completion";
import { KeptReply } from "./kept-reply";
import type { ProviderConnection } from "./provider-connection";
import { readBounded } from "./provider-reply";
import type { ReadCompletion } from "./reply-reader";

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const BYTES_PER_TOKEN = 4;

/** Settles a whole completion, then forwards it byte for byte. Its `usage` is replaced only where it differs from what was charged. */
export async function answerPlain(
  reply: ProviderReply,
  call: Completion,
  { replyReader }: Pick<AnswerContext, "replyReader">,
): Promise<Response> {
  const { open, connection } = call;
  const pieces = await readWhole(reply, connection);
  connection.end();
  open.firstByteCame();
  const reading = replyReader.readCompletion(pieces);
  const completion = reading instanceof Promise ? await reading : reading;
  const { reported } = completion;
  const usage = reported ?? estimateUsage(call, completion);
  const charged = open.charged(usage);
  const body = charged === reported ? [completion.bytes] : completion.withUsage(charged);
  const basis = reported ? "reported" : "estimated";
  await open.settle(usage, basis, { outcome: "completed", status: 200 }, open.takenKey && keptText(body));
  call.incoming.capture?.answered(body);
  return respondWith(body, { headers: call.headers("application/json") });
}

/** @throws Refusal 502 or 504. */
async function readWhole(reply: ProviderReply, connection: ProviderConnection): Promise<BodyPieces> {
  try {
    return await readBounded(reply, MAX_REPLY_BYTES, connection);
  } catch (error) {
    const failure = connection.failureOf(error);
    connection.noteFailure(failure);
    throw failure;
  }
}

function keptText(body: BodyPieces): string | undefined {
  const kept = new KeptReply();
  for (const piece of body) kept.add(piece);
  return kept.text ?? undefined;
}

function estimateUsage({ open }: Completion, { writtenBytes }: ReadCompletion): TokenUsage {
  const { promptTokens, choices: count } = open.admission.request;
  const most = open.admission.maxOutputTokens * count;
  return { promptTokens, completionTokens: Math.min(Math.ceil(writtenBytes / BYTES_PER_TOKEN), most) };
}
