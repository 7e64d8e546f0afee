import { RE2JS, RE2JSException } from "re2js";
import { maskSecrets } from "../secrets/mask-secrets";

/** What takes the place of a passage that a pattern matches. */
export const REDACTED = "[redacted]";

/**
 * Regular expressions by which text is redacted before it is kept. RE2 decides in a time that grows with the text and with
 * nothing else, whatever the pattern; so it has no lookaround and no backreferences. What looks like a key is masked in any case.
 */
export class Redactions {
  readonly #patterns: readonly RE2JS[];
  /** How many passages were replaced. */
  replaced = 0;

  /** @throws RE2JSException for a pattern that is none. */
  constructor(patterns: readonly string[]) {
    this.#patterns = patterns.map((pattern) => RE2JS.compile(pattern));
  }

  /** A JSON value with its texts redacted, and its numbers where a pattern matches their digits. */
  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value)) return value.map((entry) => this.value(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.text(name), this.value(inner)]),
    );
  }

  text(text: string): string {
    return this.#patterns.reduce((redacted, pattern) => {
      const matcher = pattern.matcher(redacted);
      if (!matcher.find()) return redacted;
      do this.replaced++;
      while (matcher.find());
      return matcher.replaceAll(REDACTED);
    }, maskSecrets(text));
  }

  #number(value: number): number | string {
    if (this.#patterns.length === 0) return value;
    const text = String(value);
    const redacted = this.text(text);
    return redacted === text ? value : redacted;
  }
}

/** Why a pattern can't be used, as the end of a sentence about it; null where it can. */
export function faultOfRedaction(pattern: string): string | null {
  try {
    const compiled = RE2JS.compile(pattern);
    return compiled.matcher("").find() ? "matches the empty text, and so everywhere" : null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `is no regular expression in RE2's syntax (${error.message.replace(/^error parsing regexp: /, "")})`;
  }
}
