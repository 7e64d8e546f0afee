// Safe for the browser: no imports.

/** What a form that makes something sends. */
export interface Creation<Draft> {
  readonly draft: Draft;
  /** Made when the form opened: the same form sent twice makes one. */
  readonly idempotencyKey: string;
}
