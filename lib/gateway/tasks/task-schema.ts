import type { Generated } from "kysely";
import type { MediaFamily } from "@/lib/contract/calls/model-families";
import type { FinalTaskStatus } from "../ledger/funds";

/** See `schema.ts` for units. */
export interface TaskTables {
  /**
   * The ledger's writer inserts and ends tasks together with their holds. In between, `TaskClaims` stores their
   * progress.
   */
  tasks: {
    id: string;
    request_id: string;
    project_id: string;
    key_id: string;
    model: string;
    family: MediaFamily;
    status: "queued" | "running" | FinalTaskStatus;
    /** Encrypted; null once the task has ended. */
    input: string | null;
    /** `TaskSettings` as JSON; null for tasks that are older than this column. */
    settings: string | null;
    /** The receipt details of the call that made it; null once the task has ended, since its charge then has them. */
    trace: string | null;
    /** Encrypted. */
    callback_url: string | null;
    provider: string | null;
    provider_model: string | null;
    remote_id: string | null;
    dispatched_at_ms: number | null;
    is_state_unknown: number;
    /** The number of consecutive failures to reach its provider. */
    failures: number;
    /** Percent. */
    progress: number | null;
    created_at_ms: number;
    started_at_ms: number | null;
    ended_at_ms: number | null;
    deadline_at_ms: number;
    /** When its next step is due. */
    due_at_ms: number | null;
    claimed_by: string | null;
    claimed_until_ms: number | null;
    cancel_requested_at_ms: number | null;
    /** `{code, message}` as JSON. */
    error: string | null;
    /** `TaskOutput[]` as JSON. */
    outputs: string | null;
    outputs_deleted_at_ms: number | null;
    /** The origin of the callback's address. */
    callback_receiver: string | null;
  };
  /** The ledger's writer inserts these rows when tasks end. */
  task_callbacks: {
    task_id: string;
    receiver: string;
    /** Encrypted. */
    url: string;
    status: "pending" | "delivered" | "exhausted";
    /** Failed tries since the callback was first sent, or was sent again on request. */
    tries: number;
    due_at_ms: number | null;
    ended_at_ms: number | null;
    claimed_by: string | null;
    claimed_until_ms: number | null;
  };
  task_callback_tries: {
    seq: Generated<number>;
    task_id: string;
    at_ms: number;
    took_ms: number;
    /** The HTTP status; null without a reply. */
    status: number | null;
    /** Null if it was delivered. */
    failure: string | null;
  };
  /** The version of each project's signing secret; without a row, the first. */
  callback_secrets: {
    project_id: string;
    version: number;
    rotated_at_ms: number;
    /** Earlier rotations whose secrets still signed at the last one, newest first, as a JSON array of times. */
    earlier_rotations_ms: string;
  };
}
