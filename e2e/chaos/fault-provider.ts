import { setTimeout } from "node:timers/promises";
import { openInvoiceLog } from "./invoice-log";
import { type ProviderScript, readScript, trueUsage, wordsOf } from "./provider-script";

// An OpenAI-compatible provider that does what each call's script says, and writes down what it generates before it sends it.
// A program of its own: what it knows survives whatever happens to the gateway.

const log = await openInvoiceLog(process.env.INVOICES ?? "");
let letGo = Promise.withResolvers<void>();
const waiting = new Set<string>();

/** A call while it is answered. */
class Answering {
  constructor(
    readonly script: ProviderScript,
    private readonly signal: AbortSignal,
  ) {}

  invoice(completionTokens: number, isArrival = false): Promise<void> {
    const { nonce, promptTokens } = this.script;
    return log.append({ nonce, promptTokens, completionTokens, isArrival });
  }

  /** Waits where the script says so. @returns false once the caller has left. */
  async goOn(generated: number): Promise<boolean> {
    const { nonce, waitAfter, gapMs = 0 } = this.script;
    if (waitAfter === generated) {
      waiting.add(nonce);
      const left = new Promise<void>((resolve) => this.signal.addEventListener("abort", () => resolve()));
      if (!this.signal.aborted) await Promise.race([letGo.promise, left]);
      waiting.delete(nonce);
    }
    if (gapMs > 0) await setTimeout(gapMs);
    return !this.signal.aborted;
  }
}

async function answerWhole(answering: Answering): Promise<Response> {
  const { script } = answering;
  const { completionTokens, usages = [trueUsage(script)] } = script;
  await answering.invoice(completionTokens);
  // What is not streamed waits once, wherever that is.
  if (script.waitAfter) await answering.goOn(script.waitAfter);
  const message = { role: "assistant", content: wordsOf(script).join("") };
  const head = { id: script.nonce, object: "chat.completion", created: 1_800_000_000, model: "fault" };
  const choices = [{ index: 0, message, finish_reason: "stop" }];
  const start = JSON.stringify({ ...head, choices }).slice(0, -1);
  const body = `${start}${usages.map((usage) => `,"usage":${usage}`).join("")}}`;
  return new Response(body, { headers: { "content-type": "application/json" } });
}

async function* streamEvents(answering: Answering): AsyncGenerator<string> {
  const { script } = answering;
  const head = { id: script.nonce, object: "chat.completion.chunk", created: 1_800_000_000, model: "fault" };
  const event = (fields: object) => `data: ${JSON.stringify({ ...head, ...fields })}\n\n`;
  const choice = (delta: object, finish_reason: string | null = null) => [{ index: 0, delta, finish_reason }];
  for (const [index, content] of wordsOf(script).entries()) {
    await answering.invoice(index + 1);
    yield event({ choices: choice({ content }) });
    if (!(await answering.goOn(index + 1))) return;
  }
  yield event({ choices: choice({}, "stop") });
  for (const usage of script.usages ?? [trueUsage(script)]) {
    yield `${event({ choices: [] }).slice(0, -3)},"usage":${usage}}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

function streamed(answering: Answering): Response {
  const events = streamEvents(answering);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await events.next();
      if (done) controller.close();
      else controller.enqueue(Buffer.from(value));
    },
    cancel: async () => {
      await events.return(undefined);
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/waiting") return Response.json([...waiting]);
    if (pathname === "/let-go") {
      letGo.resolve();
      letGo = Promise.withResolvers();
      return new Response();
    }
    const { script, isStream } = readScript(await request.text());
    const answering = new Answering(script, request.signal);
    await answering.invoice(0, true);
    if (!(await answering.goOn(0))) return new Response();
    return isStream ? streamed(answering) : answerWhole(answering);
  },
});

process.send?.({ type: "ready", url: server.url.origin });
