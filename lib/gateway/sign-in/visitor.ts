/** Where an attempt to sign in comes from. */
export interface Visitor {
  /** Null where it is not known. */
  readonly address: string | null;
  /** What the browser or program calls itself. */
  readonly userAgent: string | null;
  /** The token of a device that a member has signed in with before. */
  readonly deviceToken: string | null;
}
