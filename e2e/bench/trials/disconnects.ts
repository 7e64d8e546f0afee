import { startBenchStage } from "../start-stage";
import { plainBody, streamBody } from "../workloads";
import type { TrialResult } from "./trial-result";

const CLIENTS = 20;
const TIMEOUT_MS = 900;
const EVENT = "data: ";

/**
 * Twenty clients leave during streams of a second each: the provider's streams stop, written tokens are charged, and
 * further calls work.
 */
export async function tryDisconnects(): Promise<TrialResult> {
  const stage = await startBenchStage();
  const call = (body: string, signal?: AbortSignal) =>
    fetch(`${stage.url}/v1/chat/completions`, {
      method: "POST",
      headers: stage.headers,
      body,
      signal: signal ?? null,
    });

  const clients = Array.from({ length: CLIENTS }, async (_, index) => {
    const client = new AbortController();
    const reply = await call(streamBody("[slow]"), client.signal);
    return { client, words: await readWords(reply, 1 + index) };
  });
  const reading = await Promise.all(clients);
  const leftAt = performance.now();
  for (const { client } of reading) client.abort();
  let count = await stage.countStreams();
  while (count.canceled < CLIENTS && performance.now() - leftAt < TIMEOUT_MS) {
    await Bun.sleep(1);
    count = await stage.countStreams();
  }
  const stoppedMs = performance.now() - leftAt;

  const after = await call(plainBody);
  if (after.status !== 200) throw new Error(`A call after the disconnects was answered ${after.status}`);
  await after.text();
  const left = reading.map(({ words }) => words);
  const what = "streams stopped at the provider, of 20 that clients left";
  return {
    verdicts: [
      { what, value: count.canceled, limit: CLIENTS, goal: CLIENTS, isGate: true, isAtLeast: true },
      { what: "until the last of them stopped, ms", value: stoppedMs, limit: 500, goal: 50, isGate: false },
    ],
    faults: await stage.stop({ whole: 1, left, writtenToLeft: count.wordsOfCanceled }),
  };
}

/**
 * Reads until this many words have arrived.
 * @returns how many have.
 */
async function readWords(reply: Response, enough: number): Promise<number> {
  const reader = reply.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let words = 0; words < enough; words = text.split(EVENT).length - 1) {
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done) throw new Error(`A stream ended after ${words} words`);
    text += decoder.decode(value, { stream: true });
  }
  return text.split(EVENT).length - 1;
}
