/** A tokenizer's time grows with the square of a word's length, so no piece is longer. */
const MAX_PIECE = 256;

/** Cuts a text into short pieces, before a space where there is one: a token may begin with it, but not go across. */
export function* cutText(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    let end = start + MAX_PIECE;
    if (end < text.length) {
      const space = text.lastIndexOf(" ", end);
      if (space > start) end = space;
      else if (isTrailSurrogate(text.charCodeAt(end))) end--;
    }
    yield text.slice(start, end);
    start = end;
  }
}

function isTrailSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
