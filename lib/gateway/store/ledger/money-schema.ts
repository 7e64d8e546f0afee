import type { Generated } from "kysely";
import type { PaymentPerson } from "../../balance/payments/pending-payment";
import type { PaymentTables } from "./payment-tables";

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
    /** These three are null before the first checkpoint of the call, and of tasks. */
    stream: number | null;
    provider: string | null;
    trace: string | null;
    task_id: string | null;
    /** Media that was made: millionths of `unit`, and the list price of one unit. */
    unit: string | null;
    units: number | null;
    unit_price: bigint | null;
  };
  /** The images and audio of the last minutes' calls. The ledger's writer writes them. */
  carried_media: {
    request_id: string;
    project_id: string;
    model: string;
    at_ms: number;
    images: number;
    audio_megabytes: number;
  };
  /** From `held` on: the call a charge is for, null on other entries. A correction of a charge has its ids and model. */
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
    /** Of a charge; null where it was not recorded. */
    provider: string | null;
    /** What of the prompt's tokens the provider read from its cache; null where it didn't say. */
    cached_tokens: number | null;
    /** See `writeTrace`; null where it is not kept any more. */
    trace: string | null;
    /** As on holds; null on charges of tokens alone. */
    unit: string | null;
    units: number | null;
    unit_price: bigint | null;
    /** Of a payment. */
    note: string | null;
    /** Of a correction: the entry that it takes back, or a part of it; and why. */
    corrects: string | null;
    reason: string | null;
    /** What the balance came to with it. */
    balance_after: bigint | null;
    /** Of a batch's last entry: SHA-256 over the batch and the hash before it, see `hashOfBatch`; else null. */
    hash: Uint8Array | null;
  };
  /** Closed months, see its migration. */
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
  /** Calls that cost nothing. Of refused ones it holds a sample of each key's, see `RefusalCounter`. */
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
    /** Of a refused one: `RefusalFacts` as JSON. */
    facts: string | null;
    provider: string | null;
    trace: string | null;
  };
  /** The number of refusals by minute, which begins at `minute_ms`; `estimated_tokens` is their sum. */
  refusal_counts: {
    minute_ms: number;
    project_id: string;
    key_id: string;
    model: string;
    refused_by: string;
    refusals: number;
    estimated_tokens: number;
  };
  /** A view: every call, charged or not, and of refused ones a sample. */
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
  /** One row: the last entry from before there were hashes; 0 where there is none. */
  ledger_chain: { one: 1; starts_after: number };
  /** One row: how far the ledger was found in order, see `LedgerPoint`. */
  ledger_checkpoint: { one: 1; point: string };
  /** One row: the process that may write. */
  store_owner: { one: 1; id: string };
  /** When each key was last used, to a minute. */
  key_uses: { key_id: string; last_used_at_ms: number };
  /** Of a payment, or of a call: its request, and its reply once it is charged and whole. */
  idempotency_keys: {
    scope: string;
    key: string;
    body_hash: string;
    reply: string | null;
    created_at_ms: number;
    request_id: string | null;
  };
  /** The most in use of a limit, and how often it refused, in an hour or a day. */
  limit_uses: {
    project_id: string;
    width_ms: number;
    start_ms: number;
    model: string;
    field: string;
    peak: number;
    refusals: number;
  };
  /** One row: refusals before that minute are folded. */
  limit_uses_end: { one: 1; minute_ms: number };
  /** Calls summed by the minute, the hour and the day, see `sumCalls`; '' where nothing refused them. */
  call_sums: {
    width_ms: number;
    start_ms: number;
    project_id: string;
    key_id: string;
    model: string;
    outcome: string;
    status: number;
    refused_by: string;
    /** '' where none was called, or it was not recorded. */
    provider: string;
    calls: number;
    amount: bigint;
    max_amount: bigint;
    max_duration_ms: number;
    prompt_tokens: number;
    completion_tokens: number;
    cached_tokens: number;
    /** Of completed calls, see `Histogram`. */
    durations: string;
    first_bytes: string;
  };
  /** The same of all projects, keys and models together. */
  call_totals: {
    width_ms: number;
    start_ms: number;
    outcome: string;
    status: number;
    refused_by: string;
    calls: number;
    amount: bigint;
    max_amount: bigint;
    max_duration_ms: number;
    prompt_tokens: number;
    completion_tokens: number;
    cached_tokens: number;
    /** Of completed calls, see `Histogram`. */
    durations: string;
    first_bytes: string;
  };
  /** One row: charges up to this id keep no trace any more. */
  call_traces_end: { one: 1; id: string };
  /** One row: the last entry that the sums hold. */
  call_sums_end: { one: 1; seq: number };
  /** Uncharged calls that the sums don't hold yet. */
  unsummed_calls: { id: string };
}
