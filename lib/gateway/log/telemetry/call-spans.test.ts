import { expect, test } from "bun:test";
import { CallSpans } from "./call-spans";

/** The outcomes of the spans that a collector received, by request. */
function readOutcomes(body: unknown): Record<string, unknown> {
  const { resourceSpans } = body as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
  const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
  return Object.fromEntries(
    spans.map(({ attributes }) => [
      find(attributes, "gatehouse.request.id"),
      find(attributes, "gatehouse.outcome"),
    ]),
  );
}

interface Span {
  readonly attributes: readonly { readonly key: string; readonly value: { readonly stringValue?: string } }[];
}

function find(attributes: Span["attributes"], key: string) {
  return attributes.find((attribute) => attribute.key === key)?.value.stringValue ?? "";
}

test("a span that is dropped for newer ones is not told as the replay of a call", async () => {
  const received: unknown[] = [];
  await using collector = Bun.serve({
    port: 0,
    async fetch(request) {
      received.push(await request.json());
      return Response.json({});
    },
  });
  const target = { url: `${collector.url}v1/traces`, serviceName: "gatehouse", logFault: () => {} };
  const spans = new CallSpans(target, 2);
  for (const id of ["req_1", "req_2", "req_3"]) spans.begin(id, new Headers(), "chat/completions");
  spans.recordReplay("req_2");
  await spans.close();
  expect(received.map(readOutcomes)).toEqual([{ req_1: "unknown", req_2: "replayed" }]);
});
