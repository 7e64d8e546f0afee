"use client";

const examples = [
  "Explain what a rate limit is to a new colleague, in three sentences.",
  "Write a Python function that calls an API again with growing pauses.",
  "List, as a table, what to check before a model goes into production.",
];

/** Before the first message: what this is for, and something to begin with. */
export function EmptyConversation({ choose }: { choose: (prompt: string) => void }) {
  return (
    <div className="grid max-w-[560px] gap-4">
      <p className="text-muted">
        A message sent here goes the way of a program's call: the same limits, the same balance. Under each
        answer stand its tokens, its exact cost and its timing.
      </p>
      <ul className="grid gap-2" aria-label="Examples">
        {examples.map((prompt) => (
          <li key={prompt}>
            <button
              type="button"
              onClick={() => choose(prompt)}
              className="min-h-9 w-full rounded-md border bg-surface px-3 py-1.5 text-left hover:bg-default pointer-coarse:min-h-11"
            >
              {prompt}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
