const PRECISION_MS = 60_000;

/** Notes when each admin key was last used, true to the minute, so that a busy key costs one write a minute. */
export class AdminKeyUses {
  readonly #notedAtMs = new Map<string, number>();

  constructor(private readonly write: (id: string, atMs: number) => void) {}

  note(id: string, nowMs: number): void {
    const notedAtMs = this.#notedAtMs.get(id);
    if (notedAtMs !== undefined && nowMs - notedAtMs < PRECISION_MS) return;
    this.#notedAtMs.set(id, nowMs);
    this.write(id, nowMs);
  }
}
