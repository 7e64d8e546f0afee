import { RE2JS } from "re2js";
import { faultOfPattern } from "../regular-expression";
import { maskSecrets } from "../secrets/mask-secrets";

/** Replaces a passage that a pattern matches. */
export const REDACTED = "[redacted]";

/** Seconds of the thread that keeps everybody's bodies. */
const MAX_MS = 5_000;

/** The patterns took longer over a body than one may take. */
export class TooLongToRedact extends Error {}

/**
 * Regular expressions by which text is redacted before it is kept. RE2 decides in a time that grows with the text and the
 * pattern's size, and never by trying one way after another; so it has no lookaround and no backreferences. What looks like a
 * key is masked in any case.
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

  /** Starts to count, and gives the next body its time. */
  begin(): void {
    this.replaced = 0;
    this.#untilMs = this.nowMs() + MAX_MS;
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

  /**
   * Each pattern looks at the text as it came, and not at what another has made of it: a pattern that matches a part of
   * `[redacted]` would let the text grow without end. Matches that overlap or touch are one passage.
   * @throws TooLongToRedact once the body's time is over.
   */
  text(text: string): string {
    const masked = maskSecrets(text);
    const hidden = this.#hide(masked);
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

  /** 1 at each place that a pattern matches; null where none does. */
  #hide(text: string): Uint8Array | null {
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
    const redacted = this.text(text);
    return redacted === text ? value : redacted;
  }
}

/** Why a pattern is invalid, as the end of a sentence about it; null for a valid one. */
export function faultOfRedaction(pattern: string): string | null {
  const fault = faultOfPattern(pattern);
  if (fault !== null) return fault;
  return RE2JS.compile(pattern).matcher("").find() ? "matches the empty text, and so everywhere" : null;
}
