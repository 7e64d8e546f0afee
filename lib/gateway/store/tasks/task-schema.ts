import type { Generated } from "kysely";
import type { MediaFamily } from "@/lib/contract/model-families";
import type { FinalTaskStatus } from "../../balance/held-task";

/** See `schema.ts` for units. */
export interface TaskTables {
  /** The ledger's writer inserts and ends them, with their holds. Until then `TaskClaims` says how far they are. */
  tasks: {
    id: string;
    request_id: string;
    project_id: string;
    key_id: string;
    model: string;
    family: MediaFamily;
    status: "queued" | "running" | FinalTaskStatus;
    /** Sealed; null once it has ended. */
    input: string | null;
    /** `TaskSettings` as JSON; null for tasks from before it was kept. */
    settings: string | null;
    /** Sealed. */
    callback_url: string | null;
    provider: string | null;
    provider_model: string | null;
    remote_id: string | null;
    dispatched_at_ms: number | null;
    is_state_unknown: number;
    /** How often in a row its provider could not be asked. */
    failures: number;
    /** Percent. */
    progress: number | null;
    created_at_ms: number;
    started_at_ms: number | null;
    ended_at_ms: number | null;
    deadline_at_ms: number;
    /** When it is to be looked at next. */
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
  /** The ledger's writer inserts them when their tasks end. */
  task_callbacks: {
    task_id: string;
    receiver: string;
    /** Sealed. */
    url: string;
    status: "pending" | "delivered" | "exhausted";
    /** Failed ones since it was first sent, or sent again by hand. */
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
    /** HTTP; null where there was no reply. */
    status: number | null;
    /** Null where it was delivered. */
    failure: string | null;
  };
  /** Which of its secrets a project signs with; without a row the first. */
  callback_secrets: {
    project_id: string;
    version: number;
    rotated_at_ms: number;
    /** Rotations before the last one whose secrets still signed by then, newest first; a JSON array of times. */
    earlier_rotations_ms: string;
  };
}
