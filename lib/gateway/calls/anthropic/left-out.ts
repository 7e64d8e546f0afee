/** The names that are told to the caller; more would be no help, and headers are bounded. */
const MAX_NAMES = 20;
const MAX_NAME_LENGTH = 80;

/** What a translation leaves out of a request, by the names of fields and types of blocks, without list positions. */
export class LeftOut {
  readonly #names = new Set<string>();

  add(name: string): void {
    if (this.#names.size >= MAX_NAMES) return;
    // Callers choose the names of fields, and headers have visible ASCII alone.
    this.#names.add(name.slice(0, MAX_NAME_LENGTH).replace(/[^\w.:/-]/g, "_"));
  }

  /** Adds the name of a value, unless it says nothing: null, false or empty. */
  note(name: string, value: unknown): void {
    if (saysSomething(value)) this.add(name);
  }

  get names(): readonly string[] {
    return [...this.#names];
  }

  /** Adds each field of `sent` that its parsed form `kept` lacks, unless it says nothing: null, false or empty. */
  compare(sent: unknown, kept: unknown, path = ""): void {
    if (sent === kept || typeof sent !== "object" || typeof kept !== "object" || !sent || !kept) return;
    if (Array.isArray(sent)) {
      for (let index = 0; index < sent.length; index++)
        this.compare(sent[index], (kept as readonly unknown[])[index], path);
      return;
    }
    for (const [key, value] of Object.entries(sent)) {
      const name = path ? `${path}.${key}` : key;
      if (key in kept) this.compare(value, (kept as Record<string, unknown>)[key], name);
      else if (saysSomething(value)) this.add(name);
    }
  }
}

function saysSomething(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return false;
  return typeof value !== "object" || Object.values(value).some(saysSomething);
}
