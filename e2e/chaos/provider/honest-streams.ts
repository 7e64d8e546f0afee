import { callGateway, type Received } from "../clients/call-gateway";
import { PLAIN_MODEL, type Stage } from "../start-stage";

const GAP_MS = 50;
const WORDS = 20;
const MAX_P99_MS = 50;
const SENT = /"sent_ms":([\d.]+)/g;

/** Streams that run beside something hostile, which must not delay their chunks. */
export class HonestStreams {
  readonly calls: Received[] = [];

  constructor(private readonly stage: Stage) {}

  /**
   * Streams with every key except the first, again and again until the work is done.
   * @returns the delay of each chunk in milliseconds, from the provider's sending to its arrival, so that the
   * provider's own delays don't count.
   */
  async run<Result>(work: () => Promise<Result>): Promise<{ delays: number[]; result: Result }> {
    const delays: number[] = [];
    const state = { isOver: false };
    const working = work().finally(() => {
      state.isOver = true;
    });
    const streaming = this.stage.keys.slice(1).map(async ({ id, value }) => {
      do await this.#stream({ id, value }, delays);
      while (!state.isOver);
    });
    const [result] = await Promise.all([working, ...streaming]);
    return { delays, result };
  }

  async #stream(key: { id: string; value: string }, delays: number[]): Promise<void> {
    let seen = 0;
    const script = {
      nonce: `h${this.calls.length}-${key.id}`,
      promptTokens: 5,
      completionTokens: WORDS,
      gapMs: GAP_MS,
    };
    const asked = { keyId: key.id, model: PLAIN_MODEL.id, isStream: true, script };
    const onChunk = (text: string) => {
      const nowMs = performance.timeOrigin + performance.now();
      for (const [, sentMs] of text.slice(seen).matchAll(SENT)) delays.push(nowMs - Number(sentMs));
      seen = text.length;
    };
    this.calls.push(await callGateway(asked, { baseUrl: this.stage.baseUrl, key: key.value, onChunk }));
  }

  /** Streams that broke off. */
  faults(): string[] {
    const broken = this.calls.filter(({ isComplete }) => !isComplete);
    return broken.map(({ status }) => `an honest stream ended: ${status}`);
  }
}

/** The 99th percentile of the chunks' delay, before and during the work. */
export function lateness(before: readonly number[], during: readonly number[]) {
  const [quiet, late] = [before, during].map(ninetyNinth) as [number, number];
  return {
    faults: late > MAX_P99_MS ? [`p99 of a chunk's delay is ${late.toFixed(0)} ms`] : [],
    figures: { "p99 of a chunk's delay before, ms": quiet.toFixed(0), during: late.toFixed(0) },
  };
}

function ninetyNinth(delays: readonly number[]): number {
  return delays.toSorted((one, other) => one - other)[Math.floor(delays.length * 0.99)] ?? 0;
}
