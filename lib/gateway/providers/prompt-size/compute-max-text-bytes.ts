const UNITS = 0x10000;
const CODE_POINTS = 0x30000;
const HANGUL = [0xac00, 0xd7a3] as const;
const LEAD_SURROGATES = [0xd800, 0xdbff] as const;

/** The UTF-8 length of a character in NFKD; its NFKC form is never longer. */
function measureApart(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  // Hangul syllables are recomposed, whatever surrounds them.
  const apart = codePoint >= HANGUL[0] && codePoint <= HANGUL[1] ? character : character.normalize("NFKD");
  return Math.max(Buffer.byteLength(character), Buffer.byteLength(apart));
}

const unitBytes = Uint8Array.from({ length: UNITS }, (_, unit) =>
  unit >= 0xd800 && unit <= 0xdfff ? 2 : measureApart(unit),
);

/** The characters outside the Basic Multilingual Plane whose NFKD form is longer. */
const longPairs = new Map<number, number>();
for (let codePoint = UNITS; codePoint < CODE_POINTS; codePoint++) {
  const bytes = measureApart(codePoint);
  if (bytes > 4) longPairs.set(codePoint, bytes);
}

/**
 * An upper bound on the UTF-8 length of a text in the normal forms that tokenizers use, except NFD and NFKD of Korean.
 * Linear in its length, whereas normalizing takes quadratic time for sequences of combining marks.
 */
export function computeMaxTextBytes(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length) return bytes;
  let max = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const isLead = unit >= LEAD_SURROGATES[0] && unit <= LEAD_SURROGATES[1];
    const long = isLead ? longPairs.get(text.codePointAt(index) ?? 0) : undefined;
    if (long === undefined) max += unitBytes[unit] ?? 0;
    else {
      max += long;
      index++;
    }
  }
  return Math.max(bytes, max);
}
