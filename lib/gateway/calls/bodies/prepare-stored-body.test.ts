import { expect, test } from "bun:test";
import { Redactions } from "../../log/bodies/redactions";
import { prepareStoredBody } from "./prepare-stored-body";

const toStoredBody = (text: string) => ({
  begin: new Uint8Array(Buffer.from(text)),
  size: Buffer.byteLength(text),
});

test.each([
  ["in a reply", false, (deep: string) => `{"choices": ${deep}}`],
  ["in the events of one", true, (deep: string) => `data: {"choices": [{"delta": ${deep}}]}\n\n`.repeat(2)],
])(
  "what a provider nests deeper than the stack is costs the answer's text alone: %s",
  (_, isStream, said) => {
    const deep = `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`;
    const draft = {
      requestId: "req_1",
      projectId: "proj_1",
      atMs: 0,
      mode: "whole" as const,
      redactions: ["x"],
      request: toStoredBody('{"messages": [{"role": "user", "content": "x"}]}'),
      reply: toStoredBody(said(deep)),
      isStream,
    };
    expect(prepareStoredBody(draft, new Redactions(draft.redactions)).texts).toMatchObject({
      request: { text: '{"messages":[{"role":"user","content":"[redacted]"}]}' },
      reply: { text: null },
    });
  },
);
