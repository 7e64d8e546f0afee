import { RE2JS } from "re2js";
import { findPatternFault } from "../../regular-expression";
import { maskSecrets } from "../../secrets/secret";

/** Replaces a passage that a pattern matches. */
const REDACTED = "[redacted]";

/** The time limit per body, since one thread processes all bodies. */
const MAX_MS = 5_000;

/** A body's patterns exceeded the time limit. */
export class TooLongToRedact extends Error {}

/**
 * Regular expressions that redact text before it is stored. RE2's time is linear in the text and the pattern's size,
 * since it never backtracks; so it has no lookaround and no backreferences. Text that looks like a key is always
 * masked.
 */
export class Redactions {
  readonly #patterns: readonly RE2JS[];
  #untilMs = Number.POSITIVE_INFINITY;
  /** The number of replaced passages. */
  replaced = 0;

  /** @throws RE2JSException for an invalid pattern. */
  constructor(
    patterns: readonly string[],
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.#patterns = patterns.map((pattern) => RE2JS.compile(pattern));
  }

  /** Resets the count and the time limit for the next body. */
  begin(): void {
    this.replaced = 0;
    this.#untilMs = this.nowMs() + MAX_MS;
  }

  /** A JSON value with its texts redacted, and its numbers where a pattern matches their digits. */
  redactValue(value: unknown): unknown {
    if (typeof value === "string") return this.redactText(value);
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value)) return value.map((entry) => this.redactValue(entry));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [this.redactText(name), this.redactValue(inner)]),
    );
  }

  /**
   * Applies each pattern to the original text, not to the output of another pattern: one that matches a part of
   * `[redacted]` would let the text grow without end. Overlapping or adjacent matches count as one passage.
   * @throws TooLongToRedact once the body's time limit is exceeded.
   */
  redactText(text: string): string {
    const masked = maskSecrets(text);
    const hidden = this.#findHidden(masked);
    if (!hidden) return masked;
    const pieces: string[] = [];
    for (let at = 0; at < masked.length; ) {
      const isHidden = hidden[at];
      const change = hidden.indexOf(isHidden ? 0 : 1, at);
      const end = change < 0 ? masked.length : change;
      pieces.push(isHidden ? REDACTED : masked.slice(at, end));
      if (isHidden) this.replaced++;
      at = end;
    }
    return pieces.join("");
  }

  /** Returns 1 at each position that a pattern matches; null if none does. */
  #findHidden(text: string): Uint8Array | null {
    let hidden: Uint8Array | null = null;
    for (const pattern of this.#patterns) {
      const matcher = pattern.matcher(text);
      while (this.#findNext(matcher)) {
        hidden ??= new Uint8Array(text.length);
        hidden.fill(1, matcher.start(), matcher.end());
      }
    }
    return hidden;
  }

  #findNext(matcher: ReturnType<RE2JS["matcher"]>): boolean {
    if (this.nowMs() > this.#untilMs) throw new TooLongToRedact();
    return matcher.find();
  }

  #number(value: number): number | string {
    if (this.#patterns.length === 0) return value;
    const text = String(value);
    const redacted = this.redactText(text);
    return redacted === text ? value : redacted;
  }
}

/** Returns why a pattern is invalid, as the end of a sentence about it; null for a valid one. */
export function findRedactionFault(pattern: string): string | null {
  const fault = findPatternFault(pattern);
  if (fault !== null) return fault;
  return RE2JS.compile(pattern).matcher("").find() ? "matches the empty text, and so everywhere" : null;
}
