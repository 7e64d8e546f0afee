"use client";

import { useEffect, useMemo, useRef } from "react";
import { Tabs } from "@/components/ui/tabs";
import { CodeBlock } from "@/components/ui/text/code-block";
import { CopyButton } from "@/components/ui/text/copy-button";
import type { RequestBody } from "@/lib/contract/operations/calls/request-bodies";
import { parseConversation, type TranscriptMessage } from "./parse-conversation";

/** Longer text isn't shown in full, but is copied in full. */
const MAX_SHOWN = 100_000;

/** Shows request and answer as a conversation and as stored JSON. */
export function BodyView({ body }: { body: RequestBody }) {
  const { request, reply, redacted } = body;
  const region = useRef<HTMLDivElement>(null);
  // Takes the focus from the button that loaded it, which is gone.
  useEffect(() => region.current?.focus(), []);
  const conversation = useMemo(() => parseConversation(request.text, reply?.text ?? null), [request, reply]);
  const notes = [
    request.is_cut && "The request was too long to store completely and was cut.",
    reply?.is_cut && "The answer was too long to store completely and was cut.",
    redacted > 0 && `${redacted} ${redacted === 1 ? "passage was" : "passages were"} redacted.`,
  ].filter((note) => typeof note === "string");
  return (
    <div
      ref={region}
      tabIndex={-1}
      role="region"
      aria-label="Prompt and answer of this call"
      className="grid gap-3"
    >
      {notes.length > 0 && <p className="text-sm text-muted">{notes.join(" ")}</p>}
      <Tabs
        label="Prompt and answer as"
        tabs={[
          { id: "conversation", label: "Conversation", content: <Conversation said={conversation} /> },
          { id: "request", label: "Request JSON", content: <Json text={request.text} what="request" /> },
          {
            id: "answer",
            label: "Answer JSON",
            content: reply ? (
              <Json text={reply.text} what="answer" />
            ) : (
              <p className="text-muted">The call was not answered.</p>
            ),
          },
        ]}
      />
    </div>
  );
}

function Conversation({ said }: { said: readonly TranscriptMessage[] | null }) {
  if (!said)
    return <p className="text-muted">It can’t be shown as a conversation: see the request’s JSON.</p>;
  return (
    <ol className="grid gap-3">
      {said.map(({ role, text, reasoning, besides }, index) => (
        <li key={index} className="grid gap-1 rounded-md border bg-surface px-3 py-2.5">
          <div className="flex items-center justify-between gap-2">
            <span className="text-sm font-medium capitalize">{role}</span>
            {text !== "" && <CopyButton text={text} what={`text of ${role}`} />}
          </div>
          {reasoning && (
            <details className="text-sm text-muted">
              <summary>Reasoning</summary>
              <p className="mt-1 wrap-anywhere whitespace-pre-wrap">{reasoning.slice(0, MAX_SHOWN)}</p>
            </details>
          )}
          {text !== "" && <p className="wrap-anywhere whitespace-pre-wrap">{text.slice(0, MAX_SHOWN)}</p>}
          {besides.map((line, at) => (
            <p key={at} className="font-mono text-sm wrap-anywhere text-muted">
              {line.slice(0, MAX_SHOWN)}
            </p>
          ))}
          {text === "" && !reasoning && besides.length === 0 && <p className="text-muted">No words.</p>}
        </li>
      ))}
    </ol>
  );
}

function Json({ text, what }: { text: string | null; what: string }) {
  const code = useMemo(() => (text === null ? null : indented(text)), [text]);
  if (code === null)
    return (
      <p className="text-muted">
        Its text is not stored: it was cut, is not JSON, or took too long, so the project’s patterns could not
        be applied.
      </p>
    );
  return <CodeBlock code={code.slice(0, MAX_SHOWN)} what={what} copied={text ?? code} />;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
