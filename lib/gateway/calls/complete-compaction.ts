import { isObject } from "@/lib/contract/json-value";
import { joinPieces } from "../http/body-reader";
import { BufferedResponse, respondWith } from "../http/response";
import { providerAnsweredOddly } from "../providers/provider-failure";
import { toUnixSeconds } from "../unix-seconds";
import { answerOnce, type OnceContext } from "./answer-once";
import { type CompletionContext, complete } from "./call";
import { decodeText } from "./replies/completion";
import type { IncomingCall } from "./requests/incoming-call";
import type { CompletionRequest } from "./requests/prepared-request";
import { type CompactionSealing, sealSummary } from "./responses/compaction";
import { toResponseId, toStem } from "./responses/response-events";
import { toResponseUsage } from "./responses/response-facts";

type Fields = Record<string, unknown>;

/**
 * Answers with a conversation in short: one call that summarizes it, whose answer is sealed for the project.
 * @throws Refusal as `complete`, and 502 for an answer without a text.
 */
export async function completeCompaction(
  context: OnceContext & CompletionContext & CompactionSealing,
  incoming: IncomingCall<CompletionRequest>,
): Promise<Response> {
  const reply = await answerOnce(context, incoming, (call) => complete(context, call));
  const pieces = reply instanceof BufferedResponse ? reply.pieces : [await reply.bytes()];
  const answer = JSON.parse(decodeText(joinPieces(pieces))) as Fields;
  const summary = readSummary(answer);
  if (summary === "") throw providerAnsweredOddly("It summarized the conversation without a text");
  const requestId = reply.headers.get("original-request") ?? incoming.requestContext.requestId;
  const compaction = {
    id: `cmp_${toStem(requestId)}_0`,
    type: "compaction",
    encrypted_content: sealSummary(context, incoming.projectId, summary),
  };
  const body = {
    id: toResponseId(requestId),
    object: "response.compaction",
    created_at: toUnixSeconds(context.runtime.clock.nowMs()),
    output: [compaction],
    usage: toResponseUsage(answer.usage),
  };
  return respondWith([Buffer.from(JSON.stringify(body))], { headers: reply.headers });
}

/** The text of a chat completion, or of a response. */
function readSummary({ choices, output }: Fields): string {
  const [choice] = toList(choices);
  if (choice) return readText(isObject(choice.message) ? choice.message.content : "");
  return toList(output)
    .filter(({ type }) => type === "message")
    .map(({ content }) => readText(content))
    .join("");
}

function readText(content: unknown): string {
  if (typeof content === "string") return content;
  return toList(content)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("");
}

function toList(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
