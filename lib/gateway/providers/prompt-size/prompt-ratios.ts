/** How fast a ratio that was high once is forgotten: by a hundredth of the difference with each call. */
const FORGETTING = 0.01;
/** Beyond the highest ratio that was seen. */
const MARGIN = 1.03;
/** An estimate is at least three quarters of what any tokenizer makes. */
export const MAX_RATIO = 4 / 3;
/** Classes of size per doubling: the fixed part of a request weighs less the longer it is. */
const CLASSES_PER_DOUBLING = 4;
const CLASSES = 32 * CLASSES_PER_DOUBLING;

/** What was seen of prompts of one size. */
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
