/** The origin of a sign-in attempt. */
export interface Visitor {
  /** Null if it is unknown. */
  readonly address: string | null;
  /** The user agent that the client sent. */
  readonly userAgent: string | null;
  /** The token of a known device. */
  readonly deviceToken: string | null;
}
