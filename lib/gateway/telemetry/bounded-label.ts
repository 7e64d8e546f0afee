const OTHER = "other";

/** Limits a label to its first so many values, since a metric has one series per value. */
export class BoundedLabel {
  readonly #known = new Set<string>();

  constructor(private readonly most: number) {}

  of(value: string): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= this.most) return OTHER;
    this.#known.add(value);
    return value;
  }
}
