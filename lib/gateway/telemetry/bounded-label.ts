const OTHER = "other";

/** Values of a label, the first so many by their names: a metric has as many series as its labels have values. */
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
