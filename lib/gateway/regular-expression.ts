import { RE2JS, RE2JSException } from "re2js";

/** Instructions of a compiled pattern: RE2's time is at most their number times the length of the text. */
const MAX_PATTERN_LENGTH = 250;

/** Why a pattern can't be used, as the end of a sentence about it; null where it can. */
export function faultOfPattern(pattern: string): string | null {
  try {
    const isLarge = RE2JS.compile(pattern).programSize() > MAX_PATTERN_LENGTH;
    return isLarge ? "is too large: {1,99} counts 99 times, so write + or shorten it" : null;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `is no regular expression in RE2's syntax (${error.message.replace(/^error parsing regexp: /, "")})`;
  }
}
