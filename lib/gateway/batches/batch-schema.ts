import type { batchStatuses } from "@/lib/contract/calls/task-statuses";
import type { BatchEndpoint } from "@/lib/contract/operations/tasks/batches";

/** See `schema.ts` for units. */
export interface BatchTables {
  batches: {
    id: string;
    project_id: string;
    /** The key or member that the lines are charged to. */
    key_id: string;
    endpoint: BatchEndpoint;
    model: string;
    /** JSON. */
    metadata: string | null;
    input_file_id: string;
    input_bytes: number;
    output_file_id: string;
    error_file_id: string;
    status: (typeof batchStatuses)[number];
    total: number;
    completed: number;
    failed: number;
    input_tokens: number;
    cached_tokens: number;
    output_tokens: number;
    /** Null for batches that are older than this column. */
    charged: bigint | null;
    /** `BatchPaceRecord` as JSON. */
    pace: string | null;
    /** The tokens that its creation counted in batch_1_day_max_input_tokens. */
    counted_tokens: number;
    /** The answered part of the input in bytes, and the present length of the result files. */
    read_bytes: number;
    read_lines: number;
    output_bytes: number;
    error_bytes: number;
    output_expires_after_ms: number | null;
    created_at_ms: number;
    expires_at_ms: number;
    cancel_requested_at_ms: number | null;
    ended_at_ms: number | null;
    claimed_by: string | null;
    claimed_until_ms: number | null;
  };
}
