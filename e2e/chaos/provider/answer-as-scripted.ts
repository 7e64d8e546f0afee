import { setTimeout } from "node:timers/promises";
import type { Invoice } from "./invoice-log";
import { countTrueUsage, listAnswerWords, type ProviderScript } from "./provider-script";

/** What answering a call needs from its provider. */
interface AnsweringContext {
  readonly log: { append(invoice: Invoice): Promise<void> };
  /** The nonces of calls that wait. */
  readonly waiting: Set<string>;
  /** Resolves when the calls that wait now may go on. */
  letGo(): Promise<void>;
}

/** A call that is being answered. */
export class Answering {
  constructor(
    readonly script: ProviderScript,
    readonly isStream: boolean,
    readonly signal: AbortSignal,
    private readonly context: AnsweringContext,
  ) {}

  invoice(completionTokens: number, isArrival = false): Promise<void> {
    const { nonce, promptTokens } = this.script;
    return this.context.log.append({ nonce, promptTokens, completionTokens, isArrival });
  }

  /** Records that the provider does not charge for the call. */
  waive(): Promise<void> {
    const { nonce, promptTokens } = this.script;
    const isWaived = true;
    return this.context.log.append({ nonce, promptTokens, completionTokens: 0, isArrival: false, isWaived });
  }

  /** Records that part of what was sent may have been lost. */
  lose(): Promise<void> {
    const { nonce, promptTokens, completionTokens } = this.script;
    return this.context.log.append({ nonce, promptTokens, completionTokens, isArrival: false, isLost: true });
  }

  /**
   * Waits if the script says so.
   * @returns false once the caller has left.
   */
  async goOn(generated: number): Promise<boolean> {
    const { nonce, waitAfter, gapMs = 0 } = this.script;
    if (waitAfter === generated) {
      const { waiting } = this.context;
      waiting.add(nonce);
      const left = new Promise<void>((resolve) => this.signal.addEventListener("abort", () => resolve()));
      if (!this.signal.aborted) await Promise.race([this.context.letGo(), left]);
      waiting.delete(nonce);
    }
    if (gapMs > 0) await setTimeout(gapMs);
    return !this.signal.aborted;
  }
}

/** Answers as the script says, without a fault. */
export function answerAsScripted(answering: Answering): Response | Promise<Response> {
  return answering.isStream ? streamed(streamEvents(answering)) : answerWhole(answering);
}

async function answerWhole(answering: Answering): Promise<Response> {
  const { script } = answering;
  const { completionTokens, usages = [countTrueUsage(script)] } = script;
  await answering.invoice(completionTokens);
  // A whole reply waits once, whatever the position.
  if (script.waitAfter) await answering.goOn(script.waitAfter);
  const message = { role: "assistant", content: listAnswerWords(script).join("") };
  const tier = script.tier && { service_tier: script.tier };
  const created = 1_800_000_000;
  const head = { id: script.nonce, object: "chat.completion", created, model: "fault", ...tier };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const start = JSON.stringify({ ...head, choices }).slice(0, -1);
  const body = `${start}${usages.map((usage) => `,"usage":${usage}`).join("")}}`;
  return new Response(body, { headers: { "content-type": "application/json" } });
}

/** The events of the whole stream. Each word is on the invoice before it is sent. */
export async function* streamEvents(answering: Answering): AsyncGenerator<string> {
  const { script } = answering;
  const tier = script.tier && { service_tier: script.tier };
  const created = 1_800_000_000;
  const head = { id: script.nonce, object: "chat.completion.chunk", created, model: "fault", ...tier };
  const event = (fields: object) => {
    const sentMs = script.gapMs && performance.timeOrigin + performance.now();
    const text = JSON.stringify({ ...head, ...fields, ...(sentMs && { sent_ms: sentMs }) });
    return `data: ${script.isSpaced ? text.replace('"delta":', '"delta" : ') : text}\n\n`;
  };
  const choice = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
  if (script.isUsageEarly) {
    yield event({ choices: [], usage: { prompt_tokens: script.promptTokens, completion_tokens: 1 } });
  }
  for (const [index, content] of listAnswerWords(script).entries()) {
    await answering.invoice(index + 1);
    yield event({ choices: choice({ content }) });
    if (!(await answering.goOn(index + 1))) return;
  }
  yield event({ choices: choice({}, "stop") });
  for (const usage of script.usages ?? [countTrueUsage(script)]) {
    yield `${event({ choices: [] }).slice(0, -3)},"usage":${usage}}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

/** A reply with these events, each of which is produced after the previous one was taken. */
export function streamed(events: AsyncGenerator<string | Uint8Array>, type = "text/event-stream"): Response {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await events.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? Buffer.from(value) : value);
    },
    cancel: async () => {
      await events.return(undefined);
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}
