import { mapLimits } from "./calls/rate-limit-table";
import type { BalanceRefusal, CircuitRefusal, LimitRefusal, SpendLimitRefusal } from "./refusal-facts";

/** The `type` of an error, and its possible HTTP statuses. */
export const errorStatuses = {
  invalid_request_error: [400, 405, 408, 415],
  authentication_error: [401],
  insufficient_balance: [402],
  permission_error: [403],
  not_found_error: [404],
  conflict_error: [409, 412],
  request_too_large: [413],
  rate_limit_error: [429],
  service_error: [500, 502, 503, 504],
} as const;

export type ErrorType = keyof typeof errorStatuses;
export type ErrorStatus = (typeof errorStatuses)[ErrorType][number];

/** The codes that programs may branch on, and their statuses. A rate limit's 429 has the limit's field as its code. */
export const errorCodes = {
  invalid_value: [400],
  missing_field: [400],
  unknown_field: [400],
  unpriced_field: [400],
  unsupported_tool: [400],
  previous_response_not_found: [400],
  websocket_connection_limit_reached: [400],
  unknown_permission: [400],
  invalid_json: [400],
  invalid_batch_line: [400],
  invalid_utf8: [400],
  unsupported_content_encoding: [415],
  too_deep: [400],
  too_many_entries: [400],
  body_incomplete: [400],
  body_too_slow: [408],
  model_not_found: [404],
  model_not_priced: [400],
  model_not_allowed: [403],
  outside_key_scope: [403],
  object_not_found: [404],
  body_not_kept: [404],
  path_not_found: [404],
  method_not_allowed: [405],
  invalid_api_key: [401],
  insufficient_balance: [402],
  spend_limit: [402],
  missing_permission: [403],
  exceeds_own_permissions: [403],
  viewing_as_role: [403],
  own_ownership: [403],
  predefined_role: [403],
  predefined_provider: [403],
  predefined_model: [403],
  last_owner: [409],
  price_changed: [409],
  project_archived: [400, 409],
  key_expired: [409],
  invalid_invite: [400],
  invite_accepted: [409],
  invalid_credentials: [400, 401],
  invalid_code: [400, 401],
  invalid_challenge: [401],
  invalid_password_reset: [400],
  too_many_attempts: [429, 503],
  sign_in_failed: [401],
  link_required: [403],
  account_deactivated: [403],
  linked_to_another: [409],
  not_configured: [400],
  already_exists: [409],
  already_decided: [409],
  kept_by_directory: [409],
  undo_expired: [409],
  approval_change_pending: [409],
  not_correctable: [409],
  duplicate_payment: [409],
  month_closed: [409],
  month_not_ready: [409],
  needs_second_person: [403],
  not_owner: [403],
  limit_reached: [400, 409],
  stale_version: [412],
  in_use: [409],
  conversation_locked: [409],
  task_ended: [409],
  batch_ended: [409],
  too_many_batches: [409],
  too_many_files: [409],
  no_callback: [404],
  no_alert_url: [409],
  idempotency_conflict: [409],
  idempotency_in_progress: [409],
  idempotency_charged: [409],
  idempotency_lost: [409],
  request_too_large: [413],
  concurrency: [429],
  too_many_slow_requests: [429],
  too_much_at_once: [503],
  internal_error: [500],
  provider_error: [400, 429, 502],
  provider_misconfigured: [502],
  context_length_exceeded: [400],
  content_filter: [400],
  provider_timeout: [504],
  provider_saturated: [503],
  circuit_open: [503],
  store_unavailable: [503],
  ...mapLimits(() => [429] as const),
} as const satisfies Readonly<Record<string, readonly ErrorStatus[]>>;

export type ErrorCode = keyof typeof errorCodes;

/** The possible error codes of one status. */
export type ErrorCodeWithStatus<Status extends ErrorStatus> = {
  [Code in ErrorCode]: Status extends (typeof errorCodes)[Code][number] ? Code : never;
}[ErrorCode];

/** The codes of a status, in the table's order. */
export function listErrorCodes(status: ErrorStatus): ErrorCode[] {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  return codes.filter((code) => errorCodes[code].some((allowed) => allowed === status));
}

/** The figures of the check that refused a call. */
export interface RefusalFacts {
  readonly limit?: LimitRefusal | undefined;
  readonly balance?: BalanceRefusal | undefined;
  readonly spend_limit?: SpendLimitRefusal | undefined;
  readonly circuit?: CircuitRefusal | undefined;
  /** The field or header that was refused. */
  readonly param?: string | undefined;
  /** The requested model, if there is no such model. */
  readonly asked_model?: string | undefined;
}

/** The body of every refused request. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: ErrorType;
    readonly code: ErrorCode | (string & {}) | null;
    readonly param: string | null;
    readonly request_id?: string;
    /** The call's page in the console. */
    readonly url?: string;
    readonly limit?: LimitRefusal;
    readonly balance?: BalanceRefusal;
    readonly spend_limit?: SpendLimitRefusal;
    readonly circuit?: CircuitRefusal;
    readonly permission?: string;
    /** The provider's own error code, if there is one. */
    readonly provider_code?: string;
    /** The object as it is now, in a 412; null if there is none, absent if the caller may not read it. */
    readonly current?: unknown;
  };
}
