/** The end of the log. A copy kept elsewhere can prove later that no earlier event was changed or removed. */
export interface AuditHead {
  /** The number of events. */
  readonly length: number;
  /** The hash of the last event: hexadecimal SHA-256. */
  readonly hash: string;
}

/** The printed form: `117:9f2c…`. */
export function formatAuditHead({ length, hash }: AuditHead): string {
  return `${length}:${hash}`;
}

/** Null for a text that is not the head of a log with at least one event. */
export function parseAuditHead(text: string): AuditHead | null {
  const [, length, hash] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return length && hash ? { length: Number(length), hash } : null;
}
