/** The `type` of an error and the HTTP statuses it travels with (contract, section 7). */
export const errorStatuses = {
  invalid_request_error: [400, 405, 408],
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

/** Codes a program may branch on. A 429 for one of the six limits carries the field's own name instead. */
export type ErrorCode =
  | "invalid_value"
  | "missing_field"
  | "unknown_field"
  | "unpriced_field"
  | "unknown_permission"
  | "invalid_json"
  | "invalid_utf8"
  | "too_deep"
  | "too_many_entries"
  | "body_incomplete"
  | "body_too_slow"
  | "model_not_found"
  | "model_not_priced"
  | "model_not_allowed"
  | "object_not_found"
  | "path_not_found"
  | "method_not_allowed"
  | "invalid_api_key"
  | "insufficient_balance"
  | "spend_limit"
  | "missing_permission"
  | "exceeds_own_permissions"
  | "own_ownership"
  | "predefined_role"
  | "predefined_provider"
  | "last_owner"
  | "project_archived"
  | "key_expired"
  | "invalid_invite"
  | "invite_accepted"
  | "invalid_credentials"
  | "invalid_code"
  | "invalid_challenge"
  | "invalid_password_reset"
  | "too_many_attempts"
  | "sign_in_failed"
  | "link_required"
  | "linked_to_another"
  | "not_configured"
  | "already_exists"
  | "stale_version"
  | "in_use"
  | "no_alert_url"
  | "idempotency_conflict"
  | "idempotency_in_progress"
  | "idempotency_charged"
  | "idempotency_lost"
  | "request_too_large"
  | "concurrency"
  | "too_many_slow_requests"
  | "too_much_at_once"
  | "internal_error"
  | "provider_error"
  | "provider_misconfigured"
  | "context_length_exceeded"
  | "content_filter"
  | "provider_timeout"
  | "provider_saturated"
  | "store_unavailable";

/** `error.limit` of a 429: which limit refused, how much of it was used, and when it admits the same request. */
export interface LimitRefusal {
  readonly field: string;
  readonly max: number;
  readonly used: number;
  readonly requested: number;
  /** Null when the request is larger than the whole limit and can never pass. */
  readonly resets_in_ms: number | null;
  readonly project: string;
  readonly model: string;
}

/** `error.balance` of a 402, decimal strings. */
export interface BalanceRefusal {
  /** For callers with `api.balance.read` alone. */
  readonly available?: string;
  readonly required: string;
  readonly currency: string;
}

/** `error.spend_limit` of a 402: whose limit refused, decimal strings, and when its next month begins. */
export interface SpendLimitRefusal {
  /** Null for the organization's own limit. */
  readonly project: string | null;
  /** For callers with `api.spend_limits.read` alone, as is `spent`. */
  readonly threshold?: string;
  /** Charged in this month, and set aside for calls under way. */
  readonly spent?: string;
  readonly required: string;
  readonly currency: string;
  readonly resets_at: number;
}

/** The body of every refused request. */
export interface ErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: ErrorType;
    readonly code: ErrorCode | (string & {}) | null;
    readonly param: string | null;
    readonly request_id?: string;
    readonly limit?: LimitRefusal;
    readonly balance?: BalanceRefusal;
    readonly spend_limit?: SpendLimitRefusal;
    readonly permission?: string;
    /** The provider's own code, where it gave one. */
    readonly provider_code?: string;
    /** Of a 412: the object as it is now; null where there is none, absent where the caller may not read it. */
    readonly current?: unknown;
  };
}
