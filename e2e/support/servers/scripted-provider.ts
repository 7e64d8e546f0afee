interface ProviderVisit {
  /** The requested path, such as `/v1/chat/completions`. */
  readonly path: string;
  readonly body: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
  /** Resolves when the gateway closes the connection. */
  readonly aborted: Promise<void>;
}

export type ProviderScript = (visit: ProviderVisit) => Response | Promise<Response>;

export type ScriptedProvider = ReturnType<typeof startScriptedProvider>;

/** An OpenAI-compatible server on a free port that follows the test's script and records its requests. */
export function startScriptedProvider() {
  const visits: ProviderVisit[] = [];
  let script: ProviderScript = () => new Response(null, { status: 500 });
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    async fetch(request) {
      const aborted = new Promise<void>((resolve) =>
        request.signal.addEventListener("abort", () => resolve()),
      );
      const { pathname: path } = new URL(request.url);
      const bytes = new Uint8Array(await request.arrayBuffer());
      const body = new TextDecoder().decode(bytes);
      const visit = { path, body, bytes, headers: request.headers, aborted };
      visits.push(visit);
      return script(visit);
    },
  });
  return {
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    visits,
    answerWith(next: ProviderScript) {
      script = next;
    },
    stop: () => server.stop(true),
  };
}

/**
 * A configuration file with one model, `fake`, at 1.00 in and 2.00 out per million and rate 1, which the provider calls
 * `upstream-name`. `limits` are further fields of the provider,
 * which has no circuit breakers otherwise.
 */
export function scriptedConfiguration(
  provider: Pick<ScriptedProvider, "baseUrl">,
  limits: Readonly<Record<string, unknown>> = {},
): string {
  return `
providers:
  - ${JSON.stringify({ id: "fake", kind: "openai", base_url: provider.baseUrl, api_key: "provider-secret", circuit: false, ...limits })}
models:
  - id: fake
    family: chat
    rate: "1"
    price: { input_per_1m: "1.00", output_per_1m: "2.00" }
    max_output_tokens: 1000
    routes: [{ provider: fake, model: upstream-name }]
`;
}

/**
 * A stream with these texts as chunks, one after another. A promise delays the rest of the stream until it resolves.
 */
export function streamChunks(
  chunks: readonly (string | Uint8Array | Promise<void>)[],
  type = "text/event-stream",
) {
  let next = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks[next++];
      if (chunk === undefined) return controller.close();
      if (chunk instanceof Promise) {
        await chunk;
        return this.pull?.(controller);
      }
      controller.enqueue(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}

/** A chat completion with the answer `message`: its text, or its fields beside the role. */
export function chatCompletion(message: string | object, usage?: unknown, finish_reason = "stop") {
  const fields = typeof message === "string" ? { content: message } : message;
  return {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "upstream-name",
    choices: [{ index: 0, message: { role: "assistant", ...fields }, finish_reason }],
    ...(usage !== undefined && { usage }),
  };
}

/** An event of a chat completion stream. */
export function chunkEvent(delta: object, rest: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: null }];
  return `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", choices, ...rest })}\n\n`;
}

export function usageEvent(usage: unknown): string {
  return `data: ${JSON.stringify({ id: "c1", object: "chat.completion.chunk", choices: [], usage })}\n\n`;
}

export const DONE = "data: [DONE]\n\n";
