"use client";

import { useState } from "react";
import { type FieldPath, type FieldValues, type UseFormReturn, useWatch } from "react-hook-form";
import { countChanges } from "@/components/form/count-changes";
import type { ActionReply } from "@/lib/console/problem";
import type { ReadId } from "@/lib/console/reads";
import { showProblem } from "./show-problem";
import { useAction } from "./use-action";

type Names<Values extends FieldValues> = keyof Values & FieldPath<Values>;

type Options<Values extends FieldValues, Name extends Names<Values>, Input, Reply> = {
  action: (input: Input) => Promise<ActionReply<Reply>>;
  /** Reads that are no longer true after it. */
  changes: readonly ReadId[];
  /** The fields that are sent, by the API's names. */
  names: readonly Name[];
  toInput: (change: Partial<Pick<Values, Name>>) => Input;
  toValues: (reply: Reply) => Values;
};

/** What the last save did, and what undoes it; null where that has been undone. */
export type SaveOutcome<Change> = { words: string; before: Change | null };

/** For a form that edits one object: sends the changed fields alone, and takes the last save back by the same action. */
export function useSaveChanges<Values extends FieldValues, Name extends Names<Values>, Input, Reply>(
  form: UseFormReturn<Values>,
  { action, changes, names, toInput, toValues }: Options<Values, Name, Input, Reply>,
) {
  type Change = Partial<Pick<Values, Name>>;
  const [outcome, setOutcome] = useState<SaveOutcome<Change> | null>(null);
  const { defaultValues } = form.formState;
  const saved: Record<string, unknown> = defaultValues ?? {};
  const typed: Record<string, unknown> = useWatch({ control: form.control });
  const counts = names.map((name) => countChanges(saved[name], typed[name]));
  const changed = names.filter((_, index) => counts[index]);
  const count = counts.reduce((sum, each) => sum + each, 0);
  const mutation = useAction(action, {
    changes,
    onError: ({ problem }) => showProblem(form, names, problem),
  });

  function send(change: Change, done: SaveOutcome<Change>) {
    form.clearErrors();
    mutation.mutate(toInput(change), {
      onSuccess: (reply) => {
        form.reset(toValues(reply), afresh);
        setOutcome(done);
      },
    });
  }
  return {
    /** The names of the fields that differ from what is saved. */
    changed,
    /** How many changes that are: each permission ticked counts. */
    changes: count,
    pending: mutation.isPending,
    outcome,
    save(values: Values) {
      if (changed.length === 0) return;
      const noun = count === 1 ? "change" : "changes";
      const before = pick(defaultValues as Values, changed);
      send(pick(values, changed), { words: `Saved ${count} ${noun}`, before });
    },
    undo() {
      if (outcome?.before) send(outcome.before, { words: "Undone", before: null });
    },
    discard: () => form.reset(undefined, afresh),
  };
}

// What a form's `resetOptions` keep is right for values that come from elsewhere alone.
const afresh = { keepDirtyValues: false };

function pick<Values, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Partial<Pick<Values, Name>> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Pick<Values, Name>>;
}
