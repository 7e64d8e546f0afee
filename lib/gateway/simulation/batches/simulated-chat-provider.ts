import { MAX_REQUEST_MS } from "@/lib/contract/calls/call-durations";
import type { ServerReply } from "../../http/outbound/server-reply";
import type { ProviderClient } from "../../providers/provider-client";
import type { SeededRandom } from "../seeded-random";

interface Question {
  readonly line: string;
  readonly asker: Asker;
  readonly askedAtMs: number;
  answer(): string;
  timeOut(): void;
}

/** The process that asks. A paused one learns nothing, and a dead one never will. */
interface Asker {
  readonly isRunning: boolean;
}

/** A provider of completions that answers when the simulation says so, and fails now and then. */
export class SimulatedChatProvider {
  /** How many times each line was answered with a completion. */
  readonly answered = new Map<string, number>();
  /** How often it fails. */
  faults = 0.15;
  #questions: Question[] = [];

  constructor(
    private readonly random: SeededRandom,
    private readonly nowMs: () => number,
  ) {}

  get answerable(): number {
    return this.#questions.filter(({ asker }) => asker.isRunning).length;
  }

  /** Answers one of the waiting calls. @returns which one, and how. */
  answerOne(): string {
    const ready = this.#questions.filter(({ asker }) => asker.isRunning);
    const question = ready[this.random.between(0, ready.length - 1)];
    if (!question) return "nothing";
    this.#questions = this.#questions.filter((other) => other !== question);
    return `${question.line}: ${question.answer()}`;
  }

  /** Ends the process's calls that have taken longer than a provider may. @returns whether there are any. */
  timeOut(asker: Asker): boolean {
    const isOverdue = (question: Question) =>
      question.asker === asker && question.askedAtMs <= this.nowMs() - MAX_REQUEST_MS;
    const overdue = this.#questions.filter(isOverdue);
    this.#questions = this.#questions.filter((question) => !isOverdue(question));
    for (const question of overdue) question.timeOut();
    return overdue.length > 0;
  }

  client(asker: Asker): ProviderClient {
    return {
      send: ({ body }) => {
        const reply = new Promise<ServerReply>((resolve, reject) => {
          const line = readLine(body as string);
          const answer = () => {
            const lineReply = this.#answer(line);
            if (lineReply === null) reject(new Error("reset"));
            else resolve(lineReply);
            return lineReply === null ? "reset" : String(lineReply.status);
          };
          const timeOut = () => reject(new Error("timed out"));
          this.#questions.push({ line, asker, askedAtMs: this.nowMs(), answer, timeOut });
        });
        return { reply, cancel() {} };
      },
    };
  }

  #answer(line: string): ServerReply | null {
    const { random } = this;
    if (random.chance(this.faults)) {
      const fault = random.pick(["reset", "failure", "overload", "refusal"]);
      if (fault === "reset") return null;
      const error = JSON.stringify({ error: { message: "No.", code: "no" } });
      if (fault === "overload") return createReply(429, error, { "retry-after": "1" });
      return createReply(fault === "failure" ? 500 : 400, error);
    }
    this.answered.set(line, (this.answered.get(line) ?? 0) + 1);
    const usage = { prompt_tokens: random.between(1, 20), completion_tokens: random.between(1, 10) };
    const message = { role: "assistant", content: `answer to ${line}` };
    const choices = [{ index: 0, message, finish_reason: "stop" }];
    return createReply(200, JSON.stringify({ id: "c", object: "chat.completion", choices, usage }));
  }
}

function readLine(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] };
  return messages[0]?.content ?? "";
}

function createReply(
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): ServerReply {
  const pieces = [new Uint8Array(Buffer.from(text))];
  const replyHeaders: Readonly<Record<string, string>> = { "content-type": "application/json", ...headers };
  return {
    status,
    contentLength: null,
    header: (name) => replyHeaders[name] ?? null,
    read: () => pieces.shift() ?? null,
  };
}
