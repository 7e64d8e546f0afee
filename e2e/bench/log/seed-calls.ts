import type { Database } from "bun:sqlite";
import { DAY_MS } from "@/lib/contract/durations";
import { newId } from "@/lib/contract/ids";
import { writeReceiptDetails } from "@/lib/gateway/log/requests/receipt-details";
import { seededRandom } from "@/lib/gateway/simulation/seeded-random";

/** The default time of the last call. It is fixed, so that the same number of calls always gives the same log. */
export const SEEDED_UNTIL_MS = Date.UTC(2027, 0, 15, 12);
const DAYS = 90;
export const PROJECTS = 500;
export const MODELS = 200;
export const KEYS_OF_PROJECT = 2;
export const MEMBERS = 1_000;
/** One call of this many is made by a member in the console. */
const CALLS_PER_OWN = 25;
/** The charge for a token in either direction, in nano-units at a price scale of 1. */
const NANO_PER_TOKEN = 50;
export const RATE = 200_000_000;
/** Calls per transaction. */
const BATCH_SIZE = 20_000;

/** Values that few calls have, so that a search for them has to pass over all the others. */
export const rare = { keyId: "key_rare", model: "model-rare", status: 504, provider: "rare" } as const;

export const projectIdAt = (index: number) => `proj_${String(index).padStart(26, "0")}`;
export const keyIdAt = (index: number) => `key_${String(index).padStart(26, "0")}`;
export const memberIdAt = (index: number) => `user_${String(index).padStart(26, "0")}`;
/** The most used models have names of real ones. */
const modelNames = [
  "gpt-5-mini",
  "claude-sonnet-4-5",
  "gemini-3-flash",
  "gpt-5",
  "claude-haiku-4-5",
  "mistral-large-3",
];
export const modelIdAt = (index: number) => modelNames[index] ?? `model-${index}`;

const providers = ["openai", "anthropic", "google"] as const;
const providerIdAt = (index: number) => providers[index % providers.length] ?? "openai";

/** Receipt details as long as a real call's. */
function buildReceiptDetails(provider: string, model: string, firstByteMs: number): string {
  return writeReceiptDetails({
    client: {
      endpoint: "chat/completions",
      user_agent: "OpenAI/JS 6.1.0",
      client_request_id: null,
      retry_count: 0,
      content_length: 1_204,
      idempotency_key_hash: null,
      run_by: null,
    },
    settings: {
      max_tokens: 400,
      temperature: null,
      left_out: null,
      lowered_to: null,
      lowered_by: null,
      prompt: null,
    },
    checks: {
      inFlight: [0, 2_000],
      available: 442_180_000_000n,
      spending: null,
      limits: {
        max_requests_per_1_minute: { used: 4, max: 600, needed: 1 },
        max_tokens_per_1_minute: { used: 9_100, max: 1_000_000, needed: 900 },
      },
    },
    attempts: [
      {
        provider,
        model,
        started_ms: 0,
        reached_ms: null,
        sent_ms: 1,
        answered_ms: firstByteMs,
        ended_ms: null,
        status: 200,
        failure: null,
        provider_request_id: "req_8f21c0ab77de",
        left_out: [],
      },
    ],
  });
}

/** The list price of a million tokens in either direction, in nano-units. */
export const scalePricePer1m = (priceScale: number) =>
  (NANO_PER_TOKEN * priceScale * 1_000_000 * 1_000_000_000) / RATE;

function prepareInserts(database: Database, priceScale: number) {
  const charge = database.prepare(
    `INSERT INTO ledger_entries (id, kind, amount, created_at_ms, basis, request_id, project_id, key_id, model, prompt_tokens,
       completion_tokens, input_per_1m, output_per_1m, rate, held, started_at_ms, stream, outcome, status, estimated_tokens,
       first_byte_ms, duration_ms, provider, cached_tokens, trace)
     VALUES (?, 'charge', ?, ?, 'reported', ?, ?, ?, ?, ?, ?, ${scalePricePer1m(priceScale)}, ${scalePricePer1m(priceScale)}, ${RATE}, ?, ?, 0,
       ?, 200, ?, ?, ?, ?, ?, ?)`,
  );
  const other = database.prepare(
    `INSERT INTO uncharged_calls (id, at_ms, project_id, key_id, model, stream, outcome, status, refused_by, held,
       estimated_tokens, first_byte_ms, duration_ms, provider) VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, NULL, 100, NULL, ?, ?)`,
  );
  const refusal = database.prepare(
    `INSERT INTO refusal_counts (minute_ms, project_id, key_id, model, refused_by, refusals, estimated_tokens)
     VALUES (?, ?, ?, ?, ?, 5, 500) ON CONFLICT DO UPDATE SET refusals = refusals + 5`,
  );
  return { charge, other, refusal };
}

/**
 * Fills a migrated database with calls over 90 days, some of them failed or refused. Projects, keys and models are used
 * as unevenly as in a real organization. The same number of calls gives the same rows.
 */
export function seedCalls(
  database: Database,
  calls: number,
  {
    untilMs = SEEDED_UNTIL_MS,
    priceScale = 1,
  }: { readonly untilMs?: number; readonly priceScale?: number } = {},
): void {
  const { between } = seededRandom(7);
  const random = () => between(0, 2 ** 32 - 1) / 2 ** 32;
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  /** About half of the calls fall on the first few. */
  const uneven = (count: number) => Math.floor(count * random() ** 4);
  const { charge, other, refusal } = prepareInserts(database, priceScale);
  const insert = (index: number) => {
    const atMs = Math.floor(untilMs - DAYS * DAY_MS * (1 - (index + random()) / calls));
    const project = uneven(PROJECTS);
    const isRare = index % Math.max(1, Math.floor(calls / 3)) === 1;
    const key = keyIdAt(project * KEYS_OF_PROJECT + (random() < 0.3 ? 1 : 0));
    const caller = index % CALLS_PER_OWN === 7 ? memberIdAt((2 * project) % MEMBERS) : key;
    const keyId = isRare ? rare.keyId : caller;
    const place = (project + uneven(4)) % MODELS;
    const model = isRare ? rare.model : modelIdAt(place);
    const provider = isRare ? rare.provider : providerIdAt(place);
    const id = newId("req", atMs, bytes);
    const fate = random();
    const duration = Math.floor(200 + 4_000 * random() ** 3);
    const origin = [projectIdAt(project), keyId, model] as const;
    if (fate < 0.02 || isRare) {
      const status = isRare ? rare.status : 502;
      other.run(id, atMs, ...origin, "provider_failed", status, null, duration, provider);
    } else if (fate < 0.025) {
      const by = random() < 0.8 ? "max_tokens_per_1_minute" : "max_requests_per_1_minute";
      other.run(id, atMs, ...origin, "refused", 429, by, null, null);
      refusal.run(atMs - (atMs % 60_000), ...origin, by);
    } else {
      const tokens = Math.floor(50 + 4_000 * random() ** 3);
      const amount = tokens * 2 * NANO_PER_TOKEN * priceScale;
      const outcome = fate < 0.05 ? "client_gone" : "completed";
      const firstByte = Math.floor(duration * (0.1 + 0.3 * random()));
      // Every third prompt is partly cached.
      const cached = index % 3 === 0 ? Math.floor(tokens / 2) : 0;
      charge.run(
        `txn_${id.slice(4)}`,
        amount,
        atMs + duration,
        id,
        ...origin,
        tokens,
        tokens,
        amount,
        atMs,
        outcome,
        tokens * 2,
        firstByte,
        duration,
        provider,
        cached,
        buildReceiptDetails(provider, model, firstByte),
      );
    }
  };
  for (let from = 0; from < calls; from += BATCH_SIZE) {
    database.transaction(() => {
      for (let index = from; index < Math.min(calls, from + BATCH_SIZE); index++) insert(index);
    })();
  }
}
