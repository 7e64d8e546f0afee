import type { Generated } from "kysely";
import type { CarriedColumn } from "./ledger-row";
import type { PaymentPerson, PendingPayment } from "./payments/posting";

/** The tables the ledger writer writes, and the view that joins them; see `schema.ts` for units. */
export interface MoneyTables extends PaymentTables {
  /** `held` is the sum of the open holds; it is 0 on all accounts but `balance`. */
  accounts: { name: string; balance: bigint; held: Generated<bigint> };
  /** The processes that may hold money, and until when. */
  leases: { owner: string; ends_at_ms: number };
  /** The open holds. */
  holds: {
    id: string;
    owner: string;
    request_id: string;
    state: "created" | "dispatched";
    amount: bigint;
    project_id: string;
    key_id: string;
    model: string;
    prompt_tokens: number;
    max_completion_tokens: number;
    input_per_1m: bigint;
    output_per_1m: bigint;
    rate: bigint;
    created_at_ms: number;
    deadline_at_ms: number;
    checkpoint_completion_tokens: number;
    /** These three are null before the call's first checkpoint, and for tasks. */
    stream: number | null;
    provider: string | null;
    trace: string | null;
    task_id: string | null;
    batch_id: string | null;
    /** Output priced by the unit: millionths of `unit`, and the list price of one unit. */
    unit: string | null;
    units: number | null;
    unit_price: bigint | null;
    /** See `writeAudioPrice`. */
    audio: string | null;
    /** See `writePriceClasses`. */
    classes: string | null;
  };
  /** The images and audio in the calls that limits still count. Written by the ledger's writer. */
  carried_media: Record<CarriedColumn, number> & {
    request_id: string;
    project_id: string;
    model: string;
    at_ms: number;
  };
  /** From `held` on: the charged call; null on other entries. A correction of a charge has the call's ids and model. */
  ledger_entries: {
    seq: number;
    id: string;
    kind: "payment" | "charge" | "provider_variance" | "correction";
    amount: bigint;
    from_account: string;
    to_account: string;
    created_at_ms: number;
    reference: string | null;
    basis: "reported" | "estimated" | "interrupted" | null;
    request_id: string | null;
    project_id: string | null;
    key_id: string | null;
    model: string | null;
    prompt_tokens: number | null;
    completion_tokens: number | null;
    input_per_1m: bigint | null;
    output_per_1m: bigint | null;
    rate: bigint | null;
    held: bigint | null;
    started_at_ms: number | null;
    stream: number | null;
    outcome: string | null;
    status: number | null;
    estimated_tokens: number | null;
    first_byte_ms: number | null;
    duration_ms: number | null;
    /** The provider of a charge; null if it wasn't recorded. */
    provider: string | null;
    /** The part of the prompt tokens that the provider read from its cache; null if it didn't report that. */
    cached_tokens: number | null;
    /** See `writeReceiptDetails`; null once they have been deleted. */
    trace: string | null;
    /** The batch whose line the call is; so in the other tables of calls. */
    batch_id: string | null;
    /** The unit, as in `holds`; null on charges of tokens only. */
    unit: string | null;
    units: number | null;
    unit_price: bigint | null;
    /** See `writeAudio`. */
    audio: string | null;
    /** See `writeClasses`. */
    classes: string | null;
    /** What the limits count of the tokens; null where they count all. */
    counted_tokens: number | null;
    /** A free text about a payment. */
    note: string | null;
    /** The day on which a payment was paid, such as `2026-11-30`; null if nobody said. */
    paid_on: string | null;
    /** For a correction, the entry that it reverses, wholly or in part, and the reason. */
    corrects: string | null;
    reason: string | null;
    /** The balance after the entry. */
    balance_after: bigint | null;
    /** On a batch's last entry, SHA-256 of the batch and the previous hash, see `hashBatch`; null on other entries. */
    hash: Uint8Array | null;
  };
  /** Closed months, see `database/tables/ledger.ts`. */
  statements: {
    month: string;
    after_seq: number;
    last_seq: number;
    figures: string;
    digest: string;
    closed_at_ms: number;
    closer_kind: PaymentPerson["kind"];
    closer_id: string;
    closer_name: string;
  };
  /** Calls that cost nothing. For refused calls, a sample per key, see `RefusalCounter`. */
  uncharged_calls: {
    id: string;
    at_ms: number;
    project_id: string;
    key_id: string;
    model: string;
    stream: number;
    outcome: string;
    status: number;
    refused_by: string | null;
    held: bigint | null;
    estimated_tokens: number;
    first_byte_ms: number | null;
    duration_ms: number | null;
    /** For a refused call, `RefusalFacts` as JSON. */
    facts: string | null;
    provider: string | null;
    trace: string | null;
    batch_id: string | null;
  };
  /** The number of refusals in the minute that begins at `minute_ms`. `estimated_tokens` is their sum. */
  refusal_counts: {
    minute_ms: number;
    project_id: string;
    key_id: string;
    model: string;
    refused_by: string;
    refusals: number;
    estimated_tokens: number;
  };
  /** How often the counts of a day (UTC) were changed, which triggers note. */
  refusal_days: { day_ms: number; changes: number };
  /** A view of every call, charged or not, with a sample of the refused ones. */
  request_log: {
    id: string;
    at_ms: number;
    project_id: string;
    key_id: string;
    model: string;
    stream: number;
    outcome: string;
    status: number;
    refused_by: string | null;
    held: bigint | null;
    estimated_tokens: number;
    prompt_tokens: number | null;
    completion_tokens: number | null;
    first_byte_ms: number | null;
    duration_ms: number | null;
  };
  /** One row: the last entry that is older than the hash chain; 0 if there is none. */
  ledger_chain: { one: 1; starts_after: number };
  /** One row: the end of the verified part of the ledger, see `LedgerPoint`. */
  ledger_checkpoint: { one: 1; point: string };
  /** One row: the process that may write. */
  store_owner: { one: 1; id: string };
  /** When each key was last used, with a precision of a minute. */
  key_uses: { key_id: string; last_used_at_ms: number };
  /** Keys of payments and of calls: the request and, once it is charged, its complete reply. */
  idempotency_keys: {
    scope: string;
    key: string;
    body_hash: string;
    reply: string | null;
    created_at_ms: number;
    request_id: string | null;
  };
  /** One row: the receipt details of charges up to this id have been deleted. */
  call_traces_end: { one: 1; id: string };
}

/** The tables of payments and corrections that need a second person; see `schema.ts` for units. */
interface PaymentTables {
  /** One row, or none: see `database/tables/ledger.ts`. */
  payment_approval: {
    one: 1;
    above: bigint | null;
    updated_at_ms: number;
    /** Since when payments have needed approval without a gap; null if none does. */
    since_ms: number | null;
  };
  /** The payments and corrections of the last day that needed no approval, by their payer. */
  unapproved_payments: { id: string; payer_id: string; amount: bigint; created_at_ms: number };
  /** Payments and corrections above the approval amount, and changes of that amount. */
  pending_payments: {
    id: string;
    amount: bigint;
    reference: string | null;
    note: string | null;
    paid_on: string | null;
    created_at_ms: number;
    maker_kind: PaymentPerson["kind"];
    maker_id: string;
    maker_name: string;
    status: PendingPayment["status"];
    decided_at_ms: number | null;
    decider_kind: PaymentPerson["kind"] | null;
    decider_id: string | null;
    decider_name: string | null;
    reason: string | null;
    entry_id: string | null;
    /** For a pending correction, the corrected entry; null on payments. */
    corrects: string | null;
    correction_reason: string | null;
    /** 1 for a change of the approval amount, to `approval_above`, whose `amount` is 0. */
    sets_approval: number;
    approval_above: bigint | null;
  };
}
