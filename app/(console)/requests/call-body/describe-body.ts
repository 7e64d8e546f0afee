import { formatCount } from "@/components/ui/values/group-digits";
import type { BodyMetadata, ReceiptBody } from "@/lib/contract/operations/calls/request-bodies";

/** Explains why no more of a call's prompt and answer can be shown. */
export function explainBody({ state, is_readable: isReadable }: ReceiptBody): string {
  switch (state) {
    case "off":
      return "The project didn’t store prompts and answers when this call was made.";
    case "metadata":
      return "The project keeps metadata alone: neither prompt nor answer.";
    case "expired":
      return "The project’s retention period for this call has ended, and its text was deleted.";
    case "pending":
      return "It is stored when the call ends.";
    case "lost":
      return "It could not be stored: the gateway was stopped or overloaded.";
    case "whole":
      return isReadable
        ? "The audit log will say that you read them."
        : "They are stored, but your role doesn’t let you read them. Ask an Owner for “Read prompts and answers”.";
  }
}

/** Returns names and values of a body's metadata, for display. */
export function describeMetadata(metadata: BodyMetadata): (readonly [name: string, value: string])[] {
  const { parameters, tools, messages, choices, finish_reasons, tool_calls } = metadata;
  const facts: [string, string][] = [
    ["Messages", messages.map(describeMessages).join(", ")],
    [
      "Parameters",
      Object.entries(parameters)
        .map((entry) => entry.join(" "))
        .join(", "),
    ],
    ["Tools", tools.join(", ")],
    ["Request", describeBytes(metadata.request_bytes)],
    ["Answer", metadata.reply_bytes === null ? "none" : describeBytes(metadata.reply_bytes)],
    ["Choices", choices > 1 ? String(choices) : ""],
    ["Ended by", finish_reasons.join(", ")],
    ["Called", tool_calls.join(", ")],
  ];
  return facts.filter(([, value]) => value !== "");
}

function describeMessages({ role, messages, bytes, parts }: BodyMetadata["messages"][number]): string {
  const times = messages === 1 ? "" : ` × ${messages}`;
  return `${role}${times} (${[describeBytes(bytes), ...parts].join(", ")})`;
}

function describeBytes(bytes: number): string {
  return `${formatCount(bytes)} ${bytes === 1 ? "byte" : "bytes"}`;
}
