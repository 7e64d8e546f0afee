"use client";

import { TextPieces } from "@/components/ui/text/text-pieces";
import { splitAtVariables, type VariableValues } from "@/lib/contract/calls/prompt-variables";

/** More are shown as they are written: each is an element of its own. */
const MAX_MARKED = 200;

const MAX_MARKED_LENGTH = 20_000;

/** A written text with the values of its variables marked. */
export function VariableText({ text, values }: { text: string; values: VariableValues }) {
  if (!text.includes("{{") || text.length > MAX_MARKED_LENGTH) return <TextPieces text={text} cutsLines />;
  const parts = splitAtVariables(text, values);
  const isMarked = parts.length > 1 || (parts[0] && "variable" in parts[0]);
  if (!isMarked || parts.length > MAX_MARKED) return <TextPieces text={text} cutsLines />;
  return parts.map((part, index) =>
    "text" in part ? (
      <span key={index}>{part.text}</span>
    ) : (
      <mark
        key={index}
        title={part.value === undefined ? `${part.variable} has no value` : `{{${part.variable}}}`}
        className="rounded-sm bg-accent/10 px-1 text-accent-text"
      >
        {part.value === undefined ? `{{${part.variable}}}` : shorten(part.value)}
      </mark>
    ),
  );
}

const MAX_SHOWN_LENGTH = 2_000;

function shorten(value: string): string {
  return value.length > MAX_SHOWN_LENGTH ? `${value.slice(0, MAX_SHOWN_LENGTH)}…` : value;
}
