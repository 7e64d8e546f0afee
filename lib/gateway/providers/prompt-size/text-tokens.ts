/**
 * Tokens per UTF-16 unit × 100, from the first unit of each range on: the highest density among today's tokenizers,
 * less a fifth.
 */
const ranges: readonly (readonly [from: number, hundredths: number])[] = [
  // ASCII is filled in below; then Latin, combining marks, Greek, Cyrillic, Armenian, Hebrew, Arabic and related
  // scripts.
  [0x0000, 80],
  [0x0080, 120],
  [0x0300, 165],
  [0x0370, 95],
  [0x0400, 75],
  [0x0460, 140],
  [0x0530, 170],
  [0x0590, 95],
  [0x0600, 90],
  [0x064b, 160],
  [0x0660, 120],
  [0x0700, 160],
  // Devanagari, Bengali and the scripts of India up to Sinhala, Thai, Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer.
  [0x0900, 115],
  [0x0980, 170],
  [0x0a00, 190],
  [0x0b80, 175],
  [0x0c00, 200],
  [0x0d80, 180],
  [0x0e00, 165],
  [0x0e80, 260],
  [0x0f00, 245],
  [0x1000, 175],
  [0x10a0, 175],
  [0x1100, 250],
  [0x1e00, 150],
  [0x1f00, 245],
  // Punctuation, symbols, then Chinese, Japanese, Korean.
  [0x2000, 150],
  [0x2070, 240],
  [0x3000, 110],
  [0x3040, 100],
  [0x3100, 240],
  [0x3400, 250],
  [0x4e00, 130],
  [0xa000, 250],
  [0xac00, 130],
  // Surrogates, private use, and compatibility forms, which expand to up to eighteen letters each.
  [0xd7b0, 170],
  [0xe000, 250],
  [0xf900, 250],
  [0xfb00, 700],
  [0xfe00, 250],
  [0xff00, 150],
];

const ascii: readonly (readonly [characters: string, hundredths: number])[] = [
  [" ", 45],
  ["\t\n\r", 37],
  ["etaoinshrdlucm", 32],
  ["fgypwb", 55],
  ["vkjxqz", 85],
  ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", 60],
  // Some tokenizers make each digit a token, most of them three digits.
  ["0123456789", 80],
  ["!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", 68],
];

const UNITS = 0x10000;
const SPACE = 0x20;
/** A further blank joins the one before it; a digit never does. */
const FURTHER_SPACE = 4;
const DIGIT_AFTER_SPACE = 110;

const weights = new Uint16Array(UNITS);
for (const [index, [from, hundredths]] of ranges.entries()) {
  weights.fill(hundredths, from, ranges[index + 1]?.[0] ?? UNITS);
}
for (const [characters, hundredths] of ascii) {
  for (const character of characters) weights[character.charCodeAt(0)] = hundredths;
}
const weightsAfterSpace = weights.slice();
weightsAfterSpace[SPACE] = FURTHER_SPACE;
weightsAfterSpace.fill(DIGIT_AFTER_SPACE, 0x30, 0x3a);

/** A longer text is sampled: this many stretches, each of this many units. */
const PLACES = 128;
const PLACE_UNITS = 16;
/** The sampled positions are random, so that a caller can't write around them. */
const seed = crypto.getRandomValues(new Uint32Array(1))[0] ?? 1;

/**
 * Estimates the tokens of a text by its characters: at least three quarters of what today's tokenizers produce for the
 * densest texts of `token-corpus.json`, and about one and a half times what they produce for prose. Long texts are
 * sampled, so that the time is two microseconds for any length.
 */
export function estimateTextTokens(text: string): number {
  const sampledUnits = PLACES * PLACE_UNITS;
  if (text.length <= sampledUnits) return weigh(text, 0, text.length) / 100;
  const stretch = text.length / PLACES;
  let random = seed ^ text.length;
  let sum = 0;
  for (let sampleIndex = 0; sampleIndex < PLACES; sampleIndex++) {
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const within = (random / 2 ** 32) * (stretch - PLACE_UNITS);
    const start = Math.floor(sampleIndex * stretch + within);
    sum += weigh(text, start, start + PLACE_UNITS);
  }
  return (sum / 100) * (text.length / sampledUnits);
}

function weigh(text: string, start: number, end: number): number {
  let sum = 0;
  let isAfterSpace = false;
  for (let index = start; index < end; index++) {
    const unit = text.charCodeAt(index);
    sum += (isAfterSpace ? weightsAfterSpace : weights)[unit] ?? 0;
    isAfterSpace = unit === SPACE;
  }
  return sum;
}

/**
 * An upper bound on the tokens of a text: no tokenizer produces more than one per byte, but some normalize characters
 * first.
 */
export function computeMaxTextTokens(text: string): number {
  return computeMaxTextBytes(text);
}

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

/** How fast a ratio that was high once is forgotten: by a hundredth of the difference with each call. */
const FORGETTING = 0.01;
/** Beyond the highest ratio that was seen. */
const MARGIN = 1.03;
/** An estimate is at least three quarters of what any tokenizer makes. */
export const MAX_RATIO = 4 / 3;
/** Classes of size per doubling: the fixed part of a request weighs less the longer it is. */
const CLASSES_PER_DOUBLING = 4;
const CLASSES = 32 * CLASSES_PER_DOUBLING;

/** The counts of prompts of one size. */
interface Seen {
  /** The highest share of the estimate that a provider has counted. */
  peak: number;
  /** The estimate of the last one. */
  estimated: number;
}

/**
 * How many tokens the providers of each model have counted, as a share of what was estimated, by the size of the
 * prompt. Remembered in memory.
 */
export class PromptRatios {
  readonly #byModel = new Map<string, (Seen | undefined)[]>();

  /** @param estimated the tokens estimated by the text's characters. @param reported what the provider counted. */
  learn(model: string, estimated: number, reported: number): void {
    if (estimated < 1 || reported < 1) return;
    let classes = this.#byModel.get(model);
    if (!classes) this.#byModel.set(model, (classes = Array.from({ length: CLASSES })));
    const [size, ratio] = [findClass(estimated), reported / estimated];
    const seen = classes[size];
    if (!seen) {
      classes[size] = { peak: ratio, estimated };
      return;
    }
    seen.peak = ratio >= seen.peak ? ratio : seen.peak + (ratio - seen.peak) * FORGETTING;
    seen.estimated = estimated;
  }

  /** The most tokens that a prompt is expected to have; null before any call of its model. */
  bound(model: string, estimated: number): number | null {
    const classes = this.#byModel.get(model);
    if (!classes) return null;
    const size = findClass(estimated);
    const own = classes[size];
    const smaller = own ?? classes.findLast((seen, at) => at < size && seen);
    const larger = own ?? classes.find((seen, at) => at > size && seen);
    // What a longer prompt has beyond a shorter one may be of any density, and a shorter one's fixed part weighs more.
    const bySmaller = smaller
      ? smaller.peak * Math.min(estimated, smaller.estimated) +
        MAX_RATIO * Math.max(0, estimated - smaller.estimated)
      : Number.POSITIVE_INFINITY;
    const byLarger = larger ? larger.peak * estimated : Number.POSITIVE_INFINITY;
    return Math.ceil(Math.min(bySmaller, byLarger) * MARGIN);
  }
}

function findClass(estimated: number): number {
  return Math.min(CLASSES - 1, Math.floor(Math.log2(Math.max(1, estimated)) * CLASSES_PER_DOUBLING));
}
