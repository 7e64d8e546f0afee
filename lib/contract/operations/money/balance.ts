import * as z from "zod/mini";
import { defineOperations } from "../../operation";
import {
  decimal,
  description,
  pageQuery,
  pageSchema,
  positiveDecimal,
  signedDecimal,
  unixSeconds,
  wholeNumber,
} from "../../schema";
import { pendingPayment } from "./pending-payment";

/** `available` = `posted` − `held`; decimal strings. */
const balance = z.object({
  object: z.literal("balance"),
  currency: z.string(),
  available: signedDecimal,
  held: decimal,
  /** The number of calls, and of tasks, that `held` is for. */
  held_calls: z.optional(z.int()),
  posted: signedDecimal,
});
export type Balance = z.output<typeof balance>;

/** The kinds of ledger entries. A correction reverses a payment or a charge, wholly or in part. */
const entryKinds = ["payment", "charge", "correction", "provider_variance"] as const;

/** One movement of `amount` between two accounts. Entries never change; a further entry corrects them. */
export const ledgerEntry = z.object({
  object: z.literal("ledger_entry"),
  id: z.string(),
  kind: z.enum(entryKinds),
  amount: decimal,
  currency: z.string(),
  from_account: z.string(),
  to_account: z.string(),
  /**
   * The signed change of the balance: positive for a payment, negative for a charge. A correction has the opposite
   * sign.
   */
  balance_change: signedDecimal,
  /** The balance after the entry. */
  balance_after: z.optional(z.nullable(signedDecimal)),
  created_at: unixSeconds,
  reference: z.nullable(z.string()),
  /** A free text about a payment. */
  note: z.optional(z.nullable(z.string())),
  /** The day on which a payment was paid, as it was recorded: `2026-11-30`; null if nobody said. */
  paid_on: z.optional(z.nullable(z.string())),
  /** The id of the entry that a correction reverses, wholly or in part, and the reason; null on other entries. */
  corrects: z.optional(z.nullable(z.string())),
  reason: z.optional(z.nullable(z.string())),
  /** The sum of a payment's or a charge's corrections; null on other entries. */
  corrected: z.optional(z.nullable(decimal)),
  /** How the usage of a charge is known; null on other entries. */
  basis: z.nullable(z.enum(["reported", "estimated", "interrupted"])),
  request_id: z.nullable(z.string()),
  project_id: z.nullable(z.string()),
  /** The current name of the project; `key_name` is that of the key. */
  project_name: z.optional(z.nullable(z.string())),
  key_id: z.nullable(z.string()),
  key_name: z.optional(z.nullable(z.string())),
  model: z.nullable(z.string()),
  /** The batch whose line the call is; absent on entries of live calls. */
  batch_id: z.optional(z.string()),
  prompt_tokens: z.nullable(z.int()),
  completion_tokens: z.nullable(z.int()),
  /** The units that were charged: images, seconds, characters and so on. Absent on a charge for tokens only. */
  units: z.optional(decimal),
  /** How many of these tokens are audio. They cost the price of text if the model has none for audio. */
  audio: z.optional(z.object({ prompt_tokens: z.int(), completion_tokens: z.int() })),
  /** How many of the prompt tokens the provider read from its cache; absent if it reported none. */
  cached_tokens: z.optional(z.int()),
  /** How many it wrote to its cache, and how many of these for an hour; absent if it reported none. */
  cache_write_tokens: z.optional(z.int()),
  cache_write_1h_tokens: z.optional(z.int()),
  /** How many of the completion tokens are reasoning, which is charged as output; absent if none was reported. */
  reasoning_tokens: z.optional(z.int()),
  /** Set if the provider's figures of cached tokens contradict each other: all are charged as input. */
  is_cache_contradicted: z.optional(z.literal(true)),
  /** How often the provider ran each of its tools; absent if it ran none. */
  tool_calls: z.optional(z.record(z.string(), z.int())),
  /** The price snapshot of a charge. */
  price: z.nullable(
    z.object({
      input_per_1m: decimal,
      output_per_1m: decimal,
      rate: decimal,
      /** Prices of classes of input, where the charge has such tokens and the model a price for them. */
      cached_input_per_1m: z.optional(decimal),
      cache_write_5m_per_1m: z.optional(decimal),
      cache_write_1h_per_1m: z.optional(decimal),
      /** Set if the prompt was longer: the prices are those of the long context. */
      long_context_from: z.optional(z.int()),
      /** Set if the rate is that of priority. */
      is_priority: z.optional(z.literal(true)),
      /** The list price of one call of each tool that ran. */
      tools: z.optional(z.record(z.string(), decimal)),
      /** The prices of tokens of audio. */
      audio: z.optional(z.object({ input_per_1m: decimal, output_per_1m: decimal })),
      /** The list price of one unit. */
      per_unit: z.optional(z.object({ unit: z.string(), amount: decimal })),
    }),
  ),
});
export type LedgerEntry = z.output<typeof ledgerEntry>;

export const correctionDraft = z.strictObject({
  /** The amount to correct. If absent, all that hasn't been corrected yet. */
  amount: z.optional(positiveDecimal),
  reason: description.check(z.minLength(1)),
});
export type CorrectionDraft = z.output<typeof correctionDraft>;

const searchText = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

const ledgerQuery = z.extend(pageQuery, {
  kind: z.optional(z.enum(entryKinds)),
  project_id: z.optional(z.string()),
  model: z.optional(z.string()),
  request_id: z.optional(z.string()),
  /** The key or member that calls are charged to. */
  key_id: z.optional(z.string()),
  /** Unix seconds, inclusive. */
  start_time: z.optional(wholeNumber(11)),
  /** Unix seconds, exclusive. */
  end_time: z.optional(wholeNumber(11)),
  /** Bounds of the absolute amount of an entry, inclusive. */
  min_amount: z.optional(decimal),
  max_amount: z.optional(decimal),
  /** A part of the reference; ignores case. */
  reference: z.optional(searchText),
  /** The corrections of this entry. */
  corrects: z.optional(z.string()),
  /**
   * A part of the reference, the note, the reason, the model, or the name of the project, key or member, or at least
   * the first ten characters of an id after its prefix; ignores case.
   */
  text: z.optional(searchText),
});
export type LedgerQuery = z.output<typeof ledgerQuery>;

export const balanceOperations = defineOperations(
  { surface: "v1 and origin", scope: "organization" },
  {
    retrieveBalance: {
      method: "GET",
      path: "/organization/balance",
      permission: "api.balance.read",
      summary: "Returns the organization's balance: posted, held by calls in flight, and available.",
      reply: balance,
    },
    listLedger: {
      method: "GET",
      path: "/organization/ledger",
      permission: "api.ledger.read",
      summary: "Lists ledger entries, newest first.",
      query: ledgerQuery,
      reply: pageSchema(ledgerEntry),
    },
    retrieveLedgerEntry: {
      method: "GET",
      path: "/organization/ledger/{entry_id}",
      permission: "api.ledger.read",
      summary: "Returns one ledger entry.",
      reply: ledgerEntry,
    },
    retrieveOwnCharge: {
      method: "GET",
      path: "/organization/me/charges/{request_id}",
      limitedKeys: "all",
      scope: "own",
      permission: { open: "to every caller", because: "What somebody's own call cost is theirs to see." },
      summary:
        "Returns the charge of a call that the member or key who asks has made. It is there before the reply ends.",
      reply: ledgerEntry,
    },
    createCorrection: {
      method: "POST",
      effect: "pays",
      path: "/organization/ledger/{entry_id}/corrections",
      permission: "api.corrections.write",
      summary:
        "Takes back a payment or a charge, or a part of it, by a new entry that names it and says why. It never takes back more than is not corrected yet, nor more of a payment than is available. One above the amount that is set waits for a second person, like a payment. With an Idempotency-Key, a repeat within 24 hours returns the first correction.",
      body: correctionDraft,
      reply: z.union([ledgerEntry, pendingPayment]),
    },
  },
);
