"use client";

import type { WorkbenchStore } from "@/components/playground/workbench-store";
import { groupDigits, trimDecimal } from "@/components/ui/values/group-digits";
import type { ModelFamily } from "@/lib/contract/calls/model-families";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

const chatExamples = [
  "Explain what a rate limit is to a new colleague, in three sentences.",
  "Write a Python function that calls an API again with growing pauses.",
  "List, as a table, what to check before a model goes into production.",
];

/** Prompts to begin with, by the kind of model. The others need a recording, or any text. */
const mediaExamples: Readonly<Partial<Record<ModelFamily, readonly string[]>>> = {
  image: ["A lighthouse at night, as a woodcut.", "A floor plan of a small library, seen from above."],
  video: ["Waves roll onto a stony beach at dusk, the camera still."],
  music: ["A calm tune for a waiting room, on piano."],
  speech: ["Your order has left the warehouse and will arrive on Tuesday."],
  embedding: ["How do I change my password?"],
  moderation: ["I will find out where you live."],
};

type EmptyPaneProps = { store: WorkbenchStore; model: OrganizationModel | undefined; isFirst: boolean };

/** Shown before the first message: the model, what it is for, and example prompts. */
export function EmptyPane({ store, model, isFirst }: EmptyPaneProps) {
  const choose = (draft: string) => {
    store.change((workbench) => ({ ...workbench, draft }));
    document.querySelector<HTMLElement>("[data-composer]")?.focus();
  };
  const family = model?.family ?? "chat";
  const examples = family === "chat" ? chatExamples : (mediaExamples[family] ?? []);
  return (
    <div className="grid max-w-[560px] gap-4">
      {model && <Description model={model} />}
      {isFirst && (
        <>
          <p className="text-muted">
            Your message goes to every pane as a program’s call would, with the same limits and the same
            balance. Each answer shows its tokens, its exact cost and its timing.
          </p>
          {family === "transcription" && (
            <p className="text-muted">Attach a recording, or drop it onto the message field.</p>
          )}
          <ul className="grid gap-2 empty:hidden" aria-label="Examples">
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
        </>
      )}
    </div>
  );
}

function Description({ model }: { model: OrganizationModel }) {
  const { price, unit_price, rate, currency, description, sandbox } = model;
  // The description of a sandbox model repeats the words of the mark above it.
  const words = sandbox ? description?.replace(/^Not an AI: /, "It ") : description;
  return (
    <div className="grid gap-1 text-sm text-muted">
      {words && <p>{words}</p>}
      {price && (
        <p>
          {groupDigits(trimDecimal(price.input_per_1m))} {currency} per 1,000,000 tokens in,{" "}
          {groupDigits(trimDecimal(price.output_per_1m))} {currency} out, × rate {rate}
        </p>
      )}
      {unit_price && (
        <p>
          {groupDigits(trimDecimal(unit_price.amount))} {currency} per {unit_price.unit}
          {Object.entries(unit_price.qualities ?? {}).map(
            ([name, amount]) => `, ${groupDigits(trimDecimal(amount))} in ${name}`,
          )}
          , × rate {rate}
        </p>
      )}
    </div>
  );
}
