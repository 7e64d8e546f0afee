/** The end of the log. A copy that is kept elsewhere proves later that nothing before it was changed or removed. */
export interface AuditHead {
  /** How many events there are. */
  readonly length: number;
  /** The hash of the last event: hexadecimal SHA-256. */
  readonly hash: string;
}

/** As it is printed and typed: `117:9f2c…`. */
export function formatAuditHead({ length, hash }: AuditHead): string {
  return `${length}:${hash}`;
}

/** Null where the text is no head of a log that has an event. */
export function parseAuditHead(text: string): AuditHead | null {
  const [, length, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return length && hash ? { length: Number(length), hash } : null;
}
