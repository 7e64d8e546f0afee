/** Why a provider failed a call, by which it is decided where the call goes on. */
export type FailureCause =
  /** Its server took no connection: nothing was sent. */
  | "no_connection"
  /** It closed the connection at once, as a server does that had closed an idle one. */
  | "stale_connection"
  /** It closed the connection later, before its answer. */
  | "lost_connection"
  /** It was silent until a time limit. */
  | "no_first_byte"
  | "rate_limited"
  /** 408 and 504: it says itself that it was too slow. */
  | "timed_out"
  /** Any other status from 500 on. */
  | "server_error"
  /** 401, 403 and 404: our key, the address or the model's name is wrong. */
  | "misconfigured"
  | "empty_account"
  /** Another status below 500 that isn't the caller's fault, such as 409. */
  | "refused"
  /** The prompt is longer than its window. */
  | "context_too_long"
  /** It answered to the end, but in no form that can be read. Another caller may get a usual answer: the call ends. */
  | "odd_answer";
