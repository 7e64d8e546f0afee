import type { SchemaQuestion } from "./check-schema-thread";

/** Ordinary schemas take milliseconds. */
const DEADLINE_MS = 2_000;

const TOO_COSTLY = `The schema can’t be checked here: it takes longer than ${DEADLINE_MS / 1_000} seconds.`;

let thread: Worker | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Returns where an answer violates a JSON schema; null if it is valid. Schemas can come from other people, and a small
 * one can take hours (a pattern that backtracks, references that double). So each is checked on a thread, which is
 * ended after two seconds. Questions are answered one after another.
 */
export function checkOnThread(question: SchemaQuestion): Promise<string | null> {
  const answer = last.then(() => ask(question));
  last = answer;
  return answer;
}

/** Never rejects. */
function ask(question: SchemaQuestion): Promise<string | null> {
  const asked = (thread ??= new Worker(new URL("./check-schema-thread.ts", import.meta.url)));
  return new Promise((resolve) => {
    const answerWith = (fault: string | null) => {
      clearTimeout(timer);
      resolve(fault);
    };
    const giveUp = (fault: string) => {
      asked.terminate();
      thread = null;
      answerWith(fault);
    };
    const timer = setTimeout(() => giveUp(TOO_COSTLY), DEADLINE_MS);
    asked.onmessage = ({ data }: MessageEvent<string | null>) => answerWith(data);
    asked.onerror = ({ message }) => giveUp(`The schema can’t be checked here: ${message}`);
    asked.postMessage(question);
  });
}
