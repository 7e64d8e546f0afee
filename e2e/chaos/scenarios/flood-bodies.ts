import { callGateway, type Received } from "../call-gateway";
import type { FloodOrder, FloodOutcome } from "../flood";
import { hostileBodies } from "../hostile-bodies";
import { peakMegabytes } from "../process-memory";
import { reconcile } from "../reconcile";
import type { Outcome, Scenario } from "../scenario";
import { PLAIN_MODEL, type Stage, startStage } from "../start-stage";

const FULL = 400;
const GAP_MS = 50;
const WORDS = 20;
const MAX_P99_MS = 50;

/** The bodies are sent beside honest streams, whose chunks must not wait for them. */
export const floodBodies: Scenario = {
  name: "flood-bodies",
  does: "{size} of the worst bodies, from strangers and with a key, beside 200 honest streams",
  full: FULL,
  smoke: hostileBodies.length,
  async run({ size }) {
    const isFull = size >= FULL;
    const stage = await startStage({ keyCount: isFull ? 201 : 11 });
    try {
      const honest = new HonestStreams(stage);
      const quiet = await honest.run(() => Promise.resolve(null));
      const loud = await honest.run(() => flood(stage, size));
      const { faults, refused, turnedAway } = loud.result as FloodOutcome;
      const { calls } = honest;
      const books = { calls, invoices: stage.invoices(), ledger: stage.ledger(), models: stage.models };
      const { faults: bookFaults, figures } = reconcile(books);
      const [before, during] = [quiet, loud].map(({ gaps }) => ninetyNinth(gaps));
      const late = (during ?? 0) - GAP_MS;
      return {
        faults: [
          ...faults,
          ...bookFaults,
          ...calls
            .filter(({ isComplete }) => !isComplete)
            .map(({ status }) => `an honest stream ended: ${status}`),
          // On a machine that does other things as well, a clock proves nothing.
          ...(isFull && late > MAX_P99_MS ? [`p99 of a chunk's delay is ${late.toFixed(0)} ms`] : []),
        ],
        figures: {
          ...figures,
          refused,
          "turned away": turnedAway,
          "p99 of a chunk's delay before, ms": ((before ?? 0) - GAP_MS).toFixed(0),
          during: late.toFixed(0),
          "MB at its peak": peakMegabytes(stage.gateway.pid()),
        },
      } satisfies Outcome;
    } finally {
      await stage.stop();
    }
  },
};

class HonestStreams {
  readonly calls: Received[] = [];

  constructor(private readonly stage: Stage) {}

  /** Streams with every key but the first, again and again until the work is done. @returns the time between chunks, in milliseconds. */
  async run<Result>(work: () => Promise<Result>): Promise<{ gaps: number[]; result: Result }> {
    const gaps: number[] = [];
    const state = { isOver: false };
    const working = work().finally(() => {
      state.isOver = true;
    });
    const streaming = this.stage.keys.slice(1).map(async ({ id, value }) => {
      do await this.#stream({ id, value }, gaps);
      while (!state.isOver);
    });
    const [result] = await Promise.all([working, ...streaming]);
    return { gaps, result };
  }

  async #stream(key: { id: string; value: string }, gaps: number[]): Promise<void> {
    let last = Number.NaN;
    const script = {
      nonce: `h${this.calls.length}-${key.id}`,
      promptTokens: 5,
      completionTokens: WORDS,
      gapMs: GAP_MS,
    };
    const asked = { keyId: key.id, model: PLAIN_MODEL.id, isStream: true, script };
    const onChunk = () => {
      const now = performance.now();
      if (!Number.isNaN(last)) gaps.push(now - last);
      last = now;
    };
    this.calls.push(await callGateway(asked, { baseUrl: this.stage.baseUrl, key: key.value, onChunk }));
  }
}

function flood({ baseUrl, keys }: Stage, count: number): Promise<FloodOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<FloodOutcome>();
  const worker = new Worker(new URL("../flood.ts", import.meta.url).href);
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage({ baseUrl, key: keys[0]?.value ?? "", count } satisfies FloodOrder);
  return promise.finally(() => worker.terminate());
}

function ninetyNinth(gaps: readonly number[]): number {
  return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length * 0.99)] ?? 0;
}
