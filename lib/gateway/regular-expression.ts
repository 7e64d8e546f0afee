import { RE2JS, RE2JSException } from "re2js";

/**
 * The maximum number of instructions of a compiled pattern. RE2's time is at most this number times the text's length.
 */
const MAX_PATTERN_LENGTH = 250;

/** Returns why a pattern can't be used, as the end of a sentence about it; null if it can. */
export function findPatternFault(pattern: string): string | null {
  try {
    const isLarge = RE2JS.compile(pattern).programSize() > MAX_PATTERN_LENGTH;
    return isLarge ? "is too large: {1,99} counts 99 times, so write + or shorten it" : null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `is no regular expression in RE2's syntax (${error.message.replace(/^error parsing regexp: /, "")})`;
  }
}
