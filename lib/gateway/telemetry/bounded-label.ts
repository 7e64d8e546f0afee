const OTHER = "other";

/** Limits a label to its first so many values, since a metric has one series per value. */
export class BoundedLabel {
  readonly #knownValues = new Set<string>();

  constructor(private readonly max: number) {}

  limit(value: string): string {
    if (this.#knownValues.has(value)) return value;
    if (this.#knownValues.size >= this.max) return OTHER;
    this.#knownValues.add(value);
    return value;
  }
}
