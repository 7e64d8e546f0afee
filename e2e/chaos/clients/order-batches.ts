import { setTimeout } from "node:timers/promises";
import type { Batch } from "@/lib/contract/operations/tasks/batches";
import { type ResultLine, uploadForm } from "../../support/clients/batch-client";
import { type ProviderScript, writeScriptMessages } from "../provider/provider-script";
import type { ScenarioOrder } from "../scenario";
import { MAX_OUTPUT_TOKENS, PLAIN_MODEL, type Stage } from "../start-stage";

const LOOK_AGAIN_MS = 50;
const MAX_WORDS = 8;

export interface OrderedBatch {
  readonly id: string;
  readonly scripts: readonly ProviderScript[];
}

export interface BatchResults {
  readonly batch: Batch & { readonly amount: string | null };
  readonly output: readonly ResultLine[];
  readonly errors: readonly ResultLine[];
}

type Place = Pick<Stage, "baseUrl" | "keys">;

/**
 * Uploads a file and creates a batch of it, both until the gateway answers. A creation whose reply was lost may have
 * made a batch, which is found by its metadata.
 */
export async function orderBatch(
  place: Place,
  { name, lines, random }: { name: string; lines: number; random: ScenarioOrder["random"] },
): Promise<OrderedBatch> {
  const scripts = Array.from({ length: lines }, (_, index): ProviderScript => {
    const completionTokens = random.between(1, MAX_WORDS);
    // Every other line waits half-way, so that some are interrupted there.
    return {
      nonce: `${name}-${index}`,
      promptTokens: 5,
      completionTokens,
      ...(index % 2 && { waitAfter: 1 }),
    };
  });
  const file = scripts.map(writeLine).join("\n");
  const upload = () => ({ method: "POST", body: uploadForm({ purpose: "batch", file }) });
  const { id: input_file_id } = await untilAnswered<{ id: string }>(place, "/files", upload);
  for (;;) {
    const made = await findBatch(place, name);
    if (made) return { id: made.id, scripts };
    const draft = { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h" };
    const body = JSON.stringify({ ...draft, metadata: { name } });
    const asked = { method: "POST", headers: { "content-type": "application/json" }, body };
    const reply = await ask<Batch>(place, "/batches", asked);
    if (reply) return { id: reply.id, scripts };
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** The batch as it is; null while the gateway does not answer. */
export function retrieveBatch(place: Place, id: string): Promise<BatchResults["batch"] | null> {
  return ask(place, `/batches/${id}`);
}

export async function readBatchResults(place: Place, id: string): Promise<BatchResults> {
  const batch = await untilAnswered<BatchResults["batch"]>(place, `/batches/${id}`);
  const read = async (fileId: string | null) => {
    if (fileId === null) return [];
    const reply = await fetch(`${place.baseUrl}/files/${fileId}/content`, { headers: buildHeaders(place) });
    const text = await reply.text();
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as ResultLine);
  };
  return { batch, output: await read(batch.output_file_id), errors: await read(batch.error_file_id) };
}

async function findBatch(place: Place, name: string): Promise<Batch | null> {
  const { data } = await untilAnswered<{ data: Batch[] }>(place, "/batches?limit=100");
  return data.find(({ metadata }) => metadata?.name === name) ?? null;
}

function writeLine(script: ProviderScript): string {
  const body = {
    model: PLAIN_MODEL.id,
    messages: writeScriptMessages(script),
    max_tokens: MAX_OUTPUT_TOKENS,
  };
  return JSON.stringify({ custom_id: script.nonce, method: "POST", url: "/v1/chat/completions", body });
}

async function untilAnswered<Reply>(
  place: Place,
  path: string,
  init: () => RequestInit = () => ({}),
): Promise<Reply> {
  for (;;) {
    const reply = await ask<Reply>(place, path, init());
    if (reply) return reply;
    await setTimeout(LOOK_AGAIN_MS);
  }
}

/** @throws Error for a refusal; null where the gateway is gone or starting. */
async function ask<Reply>(place: Place, path: string, init: RequestInit = {}): Promise<Reply | null> {
  const headers = { ...buildHeaders(place), ...(init.headers as Record<string, string>) };
  const reply = await fetch(`${place.baseUrl}${path}`, { ...init, headers }).catch(() => null);
  const text = await reply?.text().catch(() => null);
  if (reply?.status === 200 && text) return JSON.parse(text) as Reply;
  if (reply && reply.status >= 400 && reply.status < 500) throw new Error(`${path}: ${reply.status} ${text}`);
  return null;
}

function buildHeaders({ keys }: Place) {
  return { authorization: `Bearer ${keys[0]?.value}` };
}
