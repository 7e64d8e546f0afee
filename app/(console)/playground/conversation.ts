import type { Problem } from "@/lib/console/problem";
import type { ChatEvent } from "@/lib/console/stream-chat";

/** Which model is asked, and how. */
export interface AskedModel {
  readonly id: string;
  /** True for the offline stand-in models; null where the gateway does not say. */
  readonly isSandbox: boolean | null;
}

/** What a model answered, as far as it has come. */
export interface Answer {
  readonly model: AskedModel;
  /**
   * `waiting` for the first word → `answering` → `finished`; `stopped` by the reader; `refused` before the first word,
   * `broken` after it.
   */
  readonly state: "waiting" | "answering" | "finished" | "stopped" | "refused" | "broken";
  readonly text: string;
  readonly requestId: string | null;
  /** What the gateway lowered the output to, because the balance covers no more. */
  readonly loweredTo: number | null;
  readonly usage: { readonly promptTokens: number; readonly completionTokens: number } | null;
  readonly finishReason: string | null;
  /** Milliseconds since the prompt was sent, as measured in this browser. */
  readonly firstWordMs: number | null;
  readonly totalMs: number | null;
  readonly problem: Problem | null;
}

/** One question and its answer. */
export interface Turn {
  readonly id: number;
  readonly prompt: string;
  readonly answer: Answer;
}

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export function newAnswer(model: AskedModel): Answer {
  return {
    model,
    state: "waiting",
    text: "",
    requestId: null,
    loweredTo: null,
    usage: null,
    finishReason: null,
    firstWordMs: null,
    totalMs: null,
    problem: null,
  };
}

export function isRunning({ state }: Answer): boolean {
  return state === "waiting" || state === "answering";
}

/** The answer after one more event of its stream, `elapsedMs` after the prompt was sent. */
export function hear(answer: Answer, event: ChatEvent, elapsedMs: number): Answer {
  switch (event.type) {
    case "start":
      return { ...answer, requestId: event.requestId, loweredTo: event.maxTokens };
    case "text":
      return {
        ...answer,
        state: "answering",
        text: answer.text + event.text,
        firstWordMs: answer.firstWordMs ?? elapsedMs,
      };
    case "finish":
      return { ...answer, finishReason: event.reason };
    case "usage":
      return {
        ...answer,
        usage: { promptTokens: event.promptTokens, completionTokens: event.completionTokens },
      };
    case "problem":
      return {
        ...answer,
        state: answer.text === "" ? "refused" : "broken",
        requestId: answer.requestId ?? event.problem.requestId,
        problem: event.problem,
        totalMs: elapsedMs,
      };
  }
}

/** The answer once its stream has ended, or was stopped. What has ended stays as it ended. */
export function end(answer: Answer, state: "finished" | "stopped", elapsedMs: number): Answer {
  return isRunning(answer) ? { ...answer, state, totalMs: elapsedMs } : answer;
}

/** What is sent: the instruction, every turn that came to an answer, and the new prompt. */
export function messagesOf(instruction: string, turns: readonly Turn[], prompt: string): Message[] {
  const system: Message[] = instruction.trim() === "" ? [] : [{ role: "system", content: instruction }];
  const said = turns.flatMap(({ prompt: asked, answer }): Message[] =>
    answer.text === ""
      ? []
      : [
          { role: "user", content: asked },
          { role: "assistant", content: answer.text },
        ],
  );
  return [...system, ...said, { role: "user", content: prompt }];
}
