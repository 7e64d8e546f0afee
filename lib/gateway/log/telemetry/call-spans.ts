import {
  type Attributes,
  type Context,
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import type { RequestAttempt, RequestClient } from "@/lib/contract/operations/calls/receipt-parts";
import type { RefusedRequest } from "../../ledger/funds";
import type { RequestHeaders } from "../../request-headers";
import { type ReceiptDetails, readReceiptDetails } from "../requests/receipt-details";
import { type CallObserver, nameOperation, type ObservedCall } from "./call-metrics";

/** A process can't have this many calls in progress: this bounds the memory if a span is never ended. */
const MAX_OPEN_SPANS = 20_000;
const OPERATION = "gen_ai.operation.name";

export interface SpanTarget {
  /** The whole OTLP/HTTP URL for traces. */
  readonly url: string;
  readonly serviceName: string;
  logFault(where: string, error: unknown): void;
}

interface OpenSpan {
  readonly span: Span;
  /** The operation's name, by endpoint. */
  readonly operation: string;
}

/**
 * Sends a span for each call and each request to a provider over OTLP, in batches, by OpenTelemetry's GenAI
 * conventions. Spans never contain the text of a prompt or an answer.
 */
export class CallSpans implements CallObserver {
  readonly #open = new Map<string, OpenSpan>();
  readonly #provider: TracerProvider;
  readonly #tracer: Tracer;

  constructor(
    { url, serviceName, logFault }: SpanTarget,
    private readonly maxOpen = MAX_OPEN_SPANS,
  ) {
    const report = (message: string) => logFault("traces", message);
    const logger = { error: report, warn: report, info: () => {}, debug: () => {}, verbose: () => {} };
    diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
    const exporter = new OTLPTraceExporter({ url });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ "service.name": serviceName }),
      spanProcessors: [new BatchSpanProcessor({ exporter })],
    });
    this.#tracer = this.#provider.getTracer("gatehouse");
  }

  begin(requestId: string, headers: RequestHeaders, endpoint: RequestClient["endpoint"]): string {
    const operation = nameOperation(endpoint);
    const attributes = { [OPERATION]: operation, "gatehouse.request.id": requestId };
    const parent = readParent(headers.get("traceparent"));
    const span = this.#tracer.startSpan(operation, { kind: SpanKind.SERVER, attributes }, parent);
    if (this.#open.size >= this.maxOpen) this.#forgetOldest();
    this.#open.set(requestId, { span, operation });
    const { traceId, spanId, traceFlags } = span.spanContext();
    return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
  }

  recordReplay(requestId: string): void {
    this.#endWith(requestId, "replayed");
  }

  recordFailure(requestId: string, status: number, code: string): void {
    const open = this.#take(requestId);
    if (open) endAs(open.span, status, code);
  }

  onRefusal({ requestId, model, projectId, refusedBy, status }: RefusedRequest): void {
    const open = this.#take(requestId);
    if (!open) return;
    const { span, operation } = open;
    span.updateName(`${operation} ${model}`);
    span.setAttributes({
      "gen_ai.request.model": model,
      "gatehouse.project.id": projectId,
      "gatehouse.outcome": "refused",
      "gatehouse.refused_by": refusedBy,
    });
    endAs(span, status, refusedBy);
  }

  onEnd({ hold, end, usage }: Pick<ObservedCall, "hold" | "end" | "usage">): void {
    const open = this.#take(hold.requestId);
    if (!open) return;
    const { span, operation } = open;
    const receiptDetails = readReceiptDetails(end.receiptDetails);
    span.updateName(`${operation} ${hold.model}`);
    span.setAttributes(listAttributes({ hold, end, usage }, receiptDetails));
    const endedAtMs = Date.now();
    const context = trace.setSpan(ROOT_CONTEXT, span);
    for (const attempt of receiptDetails.attempts)
      this.#tell(attempt, context, { operation, endedAtMs, durationMs: end.durationMs });
    endAs(span, end.status, end.outcome === "completed" ? null : end.outcome, endedAtMs);
  }

  async close(): Promise<void> {
    await this.#provider.shutdown();
  }

  /** Records the span of a request to a provider after it has ended. */
  #tell(
    attempt: RequestAttempt,
    context: Context,
    { operation, endedAtMs, durationMs }: { operation: string; endedAtMs: number; durationMs: number },
  ): void {
    const at = (ms: number) => endedAtMs - durationMs + ms;
    const { provider, model, started_ms, ended_ms, status, failure } = attempt;
    const span = this.#tracer.startSpan(
      `${operation} ${model}`,
      {
        kind: SpanKind.CLIENT,
        startTime: at(started_ms),
        attributes: {
          [OPERATION]: operation,
          "gen_ai.provider.name": provider,
          "gen_ai.request.model": model,
        },
      },
      context,
    );
    endAs(span, status, failure, at(ended_ms ?? durationMs));
  }

  #endWith(requestId: string, outcome: "replayed" | "unknown"): void {
    const open = this.#take(requestId);
    open?.span.setAttribute("gatehouse.outcome", outcome);
    open?.span.end();
  }

  #take(requestId: string): OpenSpan | undefined {
    const open = this.#open.get(requestId);
    this.#open.delete(requestId);
    return open;
  }

  #forgetOldest(): void {
    const [oldest] = this.#open.keys();
    if (oldest !== undefined) this.#endWith(oldest, "unknown");
  }
}

/** A call's attributes, named by the conventions. */
function listAttributes(
  { hold, end, usage }: Pick<ObservedCall, "hold" | "end" | "usage">,
  { settings, attempts }: ReceiptDetails,
): Attributes {
  const attributes = {
    "gen_ai.request.model": hold.model,
    "gen_ai.response.model": attempts.at(-1)?.model,
    "gen_ai.provider.name": end.provider,
    "gen_ai.request.stream": end.stream,
    "gen_ai.request.max_tokens": settings?.max_tokens,
    "gen_ai.request.temperature": settings?.temperature,
    "gen_ai.usage.input_tokens": usage?.promptTokens,
    "gen_ai.usage.output_tokens": usage?.completionTokens,
    "gatehouse.project.id": hold.projectId,
    "gatehouse.outcome": end.outcome,
    "gatehouse.first_byte_ms": end.firstByteMs,
  };
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [[name, value]],
    ),
  );
}

function endAs(span: Span, status: number | null, error: string | null, atMs?: number): void {
  if (status !== null) span.setAttribute("http.response.status_code", status);
  if (error !== null) {
    span.setAttribute("error.type", error);
    span.setStatus({ code: SpanStatusCode.ERROR });
  }
  span.end(atMs);
}

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** The span in the caller's `traceparent`; none if there is no valid one. */
function readParent(traceparent: string | null): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? "") ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) & 1;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}
