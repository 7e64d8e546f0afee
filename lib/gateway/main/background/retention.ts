import { DAY_MS, HOUR_MS } from "@/lib/contract/durations";

/** How long stored data is kept, in milliseconds; null: forever. Charges and payments are never deleted. */
export interface Retention {
  /** Calls that cost nothing, including samples of refusals, and the parts of any call that only its receipt shows. */
  readonly requestLogMs: number | null;
  readonly refusalCountsMs: number | null;
  readonly auditLogMs: number | null;
  /** Replies that are stored for repeats. Their idempotency keys are valid for 24 hours in any case. */
  readonly keptRepliesMs: number;
  /** Messages of spend alerts and callbacks of tasks that have arrived or were given up. */
  readonly callbacksMs: number | null;
  /** The files of tasks. The tasks themselves are kept. */
  readonly taskOutputsMs: number | null;
  /** Files that were uploaded, and the results of batches, if their maker says nothing else. */
  readonly filesMs: number | null;
}

/** Retention in the configuration file. */
export interface RetentionDraft {
  readonly request_log_days?: number | null | undefined;
  readonly refusal_count_days?: number | null | undefined;
  readonly audit_log_days?: number | null | undefined;
  readonly kept_reply_hours?: number | undefined;
  readonly callback_days?: number | null | undefined;
  readonly task_output_days?: number | null | undefined;
  readonly file_days?: number | null | undefined;
}

/** The draft's retention, with defaults for the fields it leaves out. */
export function toRetention(draft: RetentionDraft = {}): Retention {
  const days = (configuredDays: number | null | undefined, usual: number) =>
    configuredDays === null ? null : (configuredDays ?? usual) * DAY_MS;
  return {
    requestLogMs: days(draft.request_log_days, 90),
    refusalCountsMs: days(draft.refusal_count_days, 400),
    auditLogMs: days(draft.audit_log_days, 730),
    keptRepliesMs: (draft.kept_reply_hours ?? 24) * HOUR_MS,
    callbacksMs: days(draft.callback_days, 90),
    taskOutputsMs: days(draft.task_output_days, 30),
    filesMs: days(draft.file_days, 30),
  };
}
