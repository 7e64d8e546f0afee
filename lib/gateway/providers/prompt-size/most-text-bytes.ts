const UNITS = 0x10000;
const CODE_POINTS = 0x30000;
const HANGUL = [0xac00, 0xd7a3] as const;
const LEAD_SURROGATES = [0xd800, 0xdbff] as const;

/** UTF-8 bytes of a character taken apart by compatibility (NFKD): what stays of it in NFKC is never longer. */
function bytesApart(codePoint: number): number {
  const character = String.fromCodePoint(codePoint);
  // Syllables are put together again, whatever stands around them.
  const apart = codePoint >= HANGUL[0] && codePoint <= HANGUL[1] ? character : character.normalize("NFKD");
  return Math.max(Buffer.byteLength(character), Buffer.byteLength(apart));
}

const unitBytes = Uint8Array.from({ length: UNITS }, (_, unit) =>
  unit >= 0xd800 && unit <= 0xdfff ? 2 : bytesApart(unit),
);

/** Of the characters beyond the first plane, those that are longer taken apart. */
const longPairs = new Map<number, number>();
for (let codePoint = UNITS; codePoint < CODE_POINTS; codePoint++) {
  const bytes = bytesApart(codePoint);
  if (bytes > 4) longPairs.set(codePoint, bytes);
}

/**
 * The most UTF-8 bytes that a text can have in any of Unicode's normal forms that tokenizers bring it into, but for NFD and NFKD
 * of Korean. Linear in its length: to normalize takes quadratic time for marks on marks.
 */
export function mostTextBytes(text: string): number {
  const bytes = Buffer.byteLength(text);
  if (bytes === text.length) return bytes;
  let most = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    const isLead = unit >= LEAD_SURROGATES[0] && unit <= LEAD_SURROGATES[1];
    const long = isLead ? longPairs.get(text.codePointAt(index) ?? 0) : undefined;
    if (long === undefined) most += unitBytes[unit] ?? 0;
    else {
      most += long;
      index++;
    }
  }
  return Math.max(bytes, most);
}
