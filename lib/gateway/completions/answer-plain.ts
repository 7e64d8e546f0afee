import type { TokenUsage } from "@/lib/money/charge";
import { scanObject } from "../http/scan-json";
import { spliceObject } from "../http/splice-json";
import type { ProviderReply } from "../providers/provider-client";
import type { HeldCall } from "./held-call";
import { KeptReply } from "./kept-reply";
import type { ProviderConnection } from "./provider-connection";
import { providerFailed } from "./provider-failure";
import { readBounded } from "./provider-reply";
import { readUsage, usageObject } from "./read-usage";

const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const BYTES_PER_TOKEN = 4;
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A whole completion: settled, then passed on byte for byte. Only a usage that isn't what was charged is replaced by what was. */
export async function answerPlain(reply: ProviderReply, call: HeldCall): Promise<Response> {
  const { open, connection } = call;
  const bytes = await readWhole(reply, connection);
  connection.end();
  open.firstByteCame();
  const text = decoder.decode(bytes);
  const completion = parseCompletion(text);
  const reported = readUsage(completion.usage);
  const usage = reported ?? estimateUsage(call, completion.choices);
  const charged = open.charged(usage);
  const body = charged === reported ? bytes : Buffer.from(spliceUsage(text, charged));
  const basis = reported ? "reported" : "estimated";
  await open.settle(usage, basis, { outcome: "completed", status: 200 }, open.takenKey && keptText(body));
  return new Response(body, { headers: call.headers("application/json") });
}

/** @throws Refusal 502 or 504. */
async function readWhole(
  reply: ProviderReply,
  connection: ProviderConnection,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return await readBounded(reply, MAX_REPLY_BYTES, connection);
  } catch (error) {
    throw connection.failureOf(error);
  }
}

function keptText(body: Uint8Array): string | undefined {
  const kept = new KeptReply();
  kept.add(body);
  return kept.text ?? undefined;
}

interface Completion {
  readonly choices: readonly unknown[];
  readonly usage?: unknown;
}

/** @throws Refusal 502 for anything but an object with choices. */
function parseCompletion(text: string): Completion {
  try {
    const completion = JSON.parse(text);
    if (Array.isArray(completion?.choices)) return completion;
  } catch (error) {
    throw providerFailed(error);
  }
  throw providerFailed("The provider's reply has no choices");
}

function estimateUsage({ open }: HeldCall, choices: readonly unknown[]): TokenUsage {
  const { promptTokens, choices: count } = open.admission.request;
  const written = choices.map((choice) => (choice as { message?: unknown } | null)?.message ?? "");
  const bytes = written.reduce<number>((sum, message) => sum + contentBytes(message), 0);
  const most = open.admission.maxOutputTokens * count;
  return { promptTokens, completionTokens: Math.min(Math.ceil(bytes / BYTES_PER_TOKEN), most) };
}

function contentBytes(message: unknown): number {
  const { content, tool_calls } = message as { content?: unknown; tool_calls?: unknown };
  const written = typeof content === "string" ? content : JSON.stringify(content ?? "");
  return Buffer.byteLength(written) + (tool_calls ? Buffer.byteLength(JSON.stringify(tool_calls)) : 0);
}

function spliceUsage(text: string, usage: TokenUsage): string {
  return spliceObject(text, scanObject(text), new Map([["usage", JSON.stringify(usageObject(usage))]]));
}
