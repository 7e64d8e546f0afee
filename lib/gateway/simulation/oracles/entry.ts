import type { ChainedEntry } from "../../ledger/ledger-row";

/** A row of the ledger; integers are bigint, as on the writer's connection. */
export interface Entry extends Required<ChainedEntry> {
  readonly seq: bigint;
  readonly id: string;
  readonly kind: "payment" | "charge" | "provider_variance" | "correction";
  readonly amount: bigint;
  readonly from_account: string;
  readonly to_account: string;
  readonly reference: string | null;
  readonly created_at_ms: bigint;
  readonly project_id: string | null;
  readonly request_id: string | null;
  readonly basis: string | null;
  readonly held: bigint | null;
  readonly corrects: string | null;
  readonly prompt_tokens: bigint | null;
  readonly completion_tokens: bigint | null;
  /** Set on the last entry of a batch. */
  readonly hash: Uint8Array | null;
}
