import { Status } from "@/components/ui/status";

/** By the reasons of chat completions, messages and responses. */
const ends: ReadonlyMap<string | null, readonly [name: string, sentence: string]> = new Map([
  ["length", ["Cut off", "The answer reached its limit of output tokens."]],
  ["max_tokens", ["Cut off", "The answer reached its limit of output tokens."]],
  ["max_output_tokens", ["Cut off", "The answer reached its limit of output tokens."]],
  ["incomplete", ["Incomplete", "The provider ended the answer early, without a reason."]],
  ["content_filter", ["Filtered", "The provider left out the rest of the answer."]],
  ["refusal", ["Declined", "The model declined to go on."]],
]);

/** Says that a finished answer may lack something, and why. Renders nothing for a whole one. */
export function AnswerEnd({ finishReason }: { finishReason: string | null }) {
  const end = ends.get(finishReason);
  if (!end) return null;
  const [name, sentence] = end;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
      <Status tone="near">{name}</Status>
      {sentence}
    </p>
  );
}
