// Safe for the browser: no imports.

/** The data of a form that creates something. */
export interface Creation<Draft> {
  readonly draft: Draft;
  /** Made when the form opened, so that the same form sent twice creates once. */
  readonly idempotencyKey: string;
}
