import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";

/** How long what is stored is kept, in milliseconds; null: for ever. Charges and payments are never deleted. */
export interface Retention {
  /** Calls that cost nothing, samples of refusals among them, and what is recorded of any call for its receipt alone. */
  readonly requestLogMs: number | null;
  readonly refusalCountsMs: number | null;
  readonly auditLogMs: number | null;
  /** Replies that are kept for repeats. Their idempotency keys count for 24 hours in any case. */
  readonly keptRepliesMs: number;
  /** Messages of spend alerts and callbacks of tasks that have arrived or were given up. */
  readonly callbacksMs: number | null;
  /** The files that tasks made. What is known of the tasks stays. */
  readonly taskOutputsMs: number | null;
}

/** Retention in the configuration file. */
export interface RetentionDraft {
  readonly request_log_days?: number | null | undefined;
  readonly refusal_count_days?: number | null | undefined;
  readonly audit_log_days?: number | null | undefined;
  readonly kept_reply_hours?: number | undefined;
  readonly callback_days?: number | null | undefined;
  readonly task_output_days?: number | null | undefined;
}

/** The draft's retention, and the usual one for what it leaves out. */
export function toRetention(draft: RetentionDraft = {}): Retention {
  const days = (written: number | null | undefined, usual: number) =>
    written === null ? null : (written ?? usual) * DAY_MS;
  return {
    requestLogMs: days(draft.request_log_days, 90),
    refusalCountsMs: days(draft.refusal_count_days, 400),
    auditLogMs: days(draft.audit_log_days, 730),
    keptRepliesMs: (draft.kept_reply_hours ?? 24) * HOUR_MS,
    callbacksMs: days(draft.callback_days, 90),
    taskOutputsMs: days(draft.task_output_days, 30),
  };
}
