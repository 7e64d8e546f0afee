import { Answering, answerAsScripted } from "./answer-as-scripted";
import { answerWithFault } from "./answer-with-fault";
import { listenBroken } from "./break-connections";
import { openInvoiceLog } from "./invoice-log";
import { type ProviderFault, readScript } from "./provider-script";

// An OpenAI-compatible provider that follows each call's script and logs what it generates before it sends it. It is a
// separate program, so its log survives whatever happens to the gateway.

const log = await openInvoiceLog(process.env.INVOICES ?? "");
let letGo = Promise.withResolvers<void>();
const waiting = new Set<string>();
const arrivals = new Map<string, number>();

/**
 * Records a call that has just arrived.
 * @returns the fault for this time that it was sent.
 */
async function receive(body: string, signal: AbortSignal) {
  const { script, isStream } = readScript(body);
  const sentBefore = arrivals.get(script.nonce) ?? 0;
  arrivals.set(script.nonce, sentBefore + 1);
  // Only the first sending of a call waits.
  const { waitAfter: _, ...unheld } = script;
  const answering = new Answering(sentBefore > 0 ? unheld : script, isStream, signal, {
    log,
    waiting,
    letGo: () => letGo.promise,
  });
  await answering.invoice(0, true);
  return { answering, fault: script.faults?.[sentBefore] };
}

async function reply(answering: Answering, fault: ProviderFault | undefined): Promise<Response> {
  if (!(await answering.goOn(0))) return new Response();
  return fault === undefined ? answerAsScripted(answering) : answerWithFault(answering, fault);
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
    const { answering, fault } = await receive(await request.text(), request.signal);
    return reply(answering, fault);
  },
});
const brokenUrl = listenBroken({ receive, reply });

process.send?.({ type: "ready", url: server.url.origin, brokenUrl });
