import { afterEach, beforeEach, expect, test } from "bun:test";
import { fetchWithKey } from "../../support/clients/send";
import { type ServedGateway, serveGateway } from "../../support/gateways/serve-gateway";
import {
  chatCompletion,
  type ScriptedProvider,
  scriptedConfiguration,
  startScriptedProvider,
} from "../../support/servers/scripted-provider";

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number; readonly boolValue?: boolean };
}

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly Attribute[];
}

interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const [SERVER, CLIENT, ERROR] = [2, 3, 2];
const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CALLER_SPAN = "b7ad6b7169203331";
const CANARY = "a-word-that-stands-nowhere-else";

/** Where nothing listens. */
const AWAY = "http://127.0.0.1:9/v1/traces";

/** An OTLP/HTTP receiver that records its requests as JSON. */
function startCollector() {
  const received: { path: string; body: ExportRequest }[] = [];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      received.push({ path: new URL(request.url).pathname, body: (await request.json()) as ExportRequest });
      return Response.json({ partialSuccess: {} });
    },
  });
  return {
    tracesUrl: `http://127.0.0.1:${server.port}/v1/traces`,
    received,
    spans: () =>
      received.flatMap(({ body }) =>
        body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    stop: () => server.stop(true),
  };
}

let collector: ReturnType<typeof startCollector>;
let provider: ScriptedProvider;
let gateway: ServedGateway;

beforeEach(() => {
  collector = startCollector();
  provider = startScriptedProvider();
  provider.answerWith(() =>
    Response.json(chatCompletion(CANARY, { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 })),
  );
});

afterEach(async () => {
  await provider.stop();
  collector.stop();
});

const serve = async (tracesUrl: string | null) => {
  const telemetry = { metricsToken: null, tracesUrl };
  gateway = await serveGateway({
    config: scriptedConfiguration(provider),
    telemetry,
    // Spans that can't be delivered are all that fails where the collector is away.
    isExpectedFault: (_, where) => where === "traces" && tracesUrl === AWAY,
  });
};

const call = async (fields: object = {}, headers: Record<string, string> = {}) => {
  const reply = await fetchWithKey(`${gateway.baseUrl}/chat/completions`, {
    key: gateway.key,
    body: {
      model: "fake",
      temperature: 0,
      max_tokens: 9,
      messages: [{ role: "user", content: CANARY }],
      ...fields,
    },
    headers,
  });
  await reply.text();
  return reply.headers.get("x-request-id") ?? "";
};

function readAttributes({ attributes }: Pick<Span, "attributes">): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

test("a call goes on with its caller's trace, and hands it to the provider", async () => {
  await serve(collector.tracesUrl);
  const id = await call({}, { traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01` });
  // Closing sends the queued spans.
  await gateway.close();
  const [request, answered] = collector.spans().toSorted((one, other) => other.kind - one.kind);
  expect(answered).toMatchObject({
    name: "chat fake",
    kind: SERVER,
    traceId: TRACE_ID,
    parentSpanId: CALLER_SPAN,
  });
  expect(readAttributes(answered as Span)).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "fake",
    "gen_ai.usage.input_tokens": 3,
    "gen_ai.usage.output_tokens": 2,
    "gen_ai.request.max_tokens": 9,
    "gen_ai.request.temperature": 0,
    "gatehouse.request.id": id,
    "gatehouse.outcome": "completed",
    "http.response.status_code": 200,
  });
  expect(request).toMatchObject({ kind: CLIENT, traceId: TRACE_ID, parentSpanId: answered?.spanId ?? "" });
  const handedOn = provider.visits[0]?.headers.get("traceparent");
  expect(handedOn).toBe(`00-${TRACE_ID}-${answered?.spanId}-01`);
  expect(collector.received.map(({ path }) => path)).toEqual(["/v1/traces"]);
  const [resource] = collector.received.flatMap(({ body }) => body.resourceSpans);
  expect(readAttributes(resource?.resource as Span)).toMatchObject({ "service.name": "gatehouse" });
  expect(JSON.stringify(collector.received)).not.toContain(CANARY);
});

test("refused, failed and repeated calls have their spans, each with its error", async () => {
  await serve(collector.tracesUrl);
  await call({ model: "no-such-model" });
  await call({}, { "idempotency-key": "once" });
  await call({}, { "idempotency-key": "once" });
  provider.answerWith(() => new Response("no", { status: 400 }));
  await call();
  await gateway.close();
  const told = collector.spans().filter(({ kind }) => kind === SERVER);
  const outcomes = told.map((span) => {
    const { "gatehouse.outcome": outcome, "error.type": error } = readAttributes(span);
    return [outcome, error, span.status.code === ERROR];
  });
  expect(outcomes).toEqual([
    ["refused", "model_not_found", true],
    ["completed", undefined, false],
    ["replayed", undefined, false],
    ["provider_failed", "provider_failed", true],
  ]);
  expect(new Set(told.map(({ traceId }) => traceId)).size).toBe(4);
});

test("a call is named by its endpoint, also where it is refused", async () => {
  await serve(collector.tracesUrl);
  const ask = async (path: string, body: object) => {
    const url = `${gateway.baseUrl}/${path}`;
    await (await fetchWithKey(url, { key: gateway.key, body })).arrayBuffer();
  };
  await ask("moderations", { model: "sandbox-moderation", input: "quiet" });
  await ask("audio/speech", {
    model: "sandbox-speech",
    input: "quiet",
    voice: "alloy",
    response_format: "pcm",
  });
  await ask("embeddings", { model: "sandbox-echo", input: "quiet" });
  await gateway.close();
  const told = collector.spans().filter(({ kind }) => kind === SERVER);
  expect(told.map(({ name }) => name)).toEqual([
    "moderations sandbox-moderation",
    "speech sandbox-speech",
    "embeddings sandbox-echo",
  ]);
  expect(readAttributes(told[0] as Span)).toMatchObject({ "gen_ai.operation.name": "moderations" });
});

test("an unsampled caller is not traced, and a malformed header begins a new trace", async () => {
  await serve(collector.tracesUrl);
  await call({}, { traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-00` });
  for (const traceparent of [
    "nonsense",
    `00-${"0".repeat(32)}-${CALLER_SPAN}-01`,
    `ff-${TRACE_ID}-${CALLER_SPAN}-01`,
  ])
    await call({}, { traceparent });
  await gateway.close();
  const told = collector.spans().filter(({ kind }) => kind === SERVER);
  expect(told).toHaveLength(3);
  for (const { traceId, parentSpanId } of told) {
    expect(traceId).not.toBe(TRACE_ID);
    expect(parentSpanId ?? "").toBe("");
  }
});

test("a collector that is away costs no call, and without one nothing is handed on", async () => {
  await serve(AWAY);
  await call();
  expect(provider.visits).toHaveLength(1);
  await gateway.close();
  await serve(null);
  await call({}, { traceparent: `00-${TRACE_ID}-${CALLER_SPAN}-01` });
  expect(provider.visits[1]?.headers.has("traceparent")).toBe(false);
  await gateway.close();
});
