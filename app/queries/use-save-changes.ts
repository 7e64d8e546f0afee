"use client";

import { useState } from "react";
import { type FieldPath, type FieldValues, type UseFormReturn, useWatch } from "react-hook-form";
import { countChanges } from "@/components/form/count-changes";
import { type Conflict, findConflicts } from "@/components/form/find-conflicts";
import { discardChanges } from "@/components/form/form-changes";
import type { ActionReply, Problem } from "@/lib/console/problem";
import type { ReadId } from "@/lib/console/reads";
import { showProblem } from "./show-problem";
import { useAction } from "./use-action";
import { useEditedVersion } from "./use-edited-version";

type Names<Values extends FieldValues> = keyof Values & FieldPath<Values>;
type Versioned = { version?: string | undefined };
type Change<Values, Name extends keyof Values> = Partial<Pick<Values, Name>>;

type Options<Values extends FieldValues, Name extends Names<Values>, Input, Saved extends Versioned> = {
  /** The object as it was read last. */
  saved: Saved;
  action: (input: Input) => Promise<ActionReply<Saved>>;
  /** Reads that are no longer true after it. */
  changes: readonly ReadId[];
  /** The fields that are sent, by the API's names. */
  names: readonly Name[];
  /** `against` is the object that is changed: its version goes along. */
  toInput: (change: Change<Values, Name>, against: Saved) => Input;
  toValues: (saved: Saved) => Values;
  /** Sends all fields, also those that are as they were. */
  whole?: boolean;
  /** Runs when the save is made, or what is saved was kept. */
  onSaved?: (saved: Saved) => void;
  /** Says why a save was refused; the form's fields do unless another place is given. */
  onRefused?: ((problem: Problem) => void) | undefined;
};

/** What the last save did, and what undoes it; null where that has been undone. */
export type SaveOutcome<Changed> = { words: string; before: Changed | null };

/** A save that came too late: what both changed, and all that is needed to make it after all. */
type Stale<Changed, Saved> = {
  conflicts: Conflict[];
  change: Changed;
  current: Saved;
  done: SaveOutcome<Changed>;
};

/**
 * For a form that edits one object: sends the changed fields alone with the version they were changed in, and takes the last
 * save back by the same action. Where somebody else saved meanwhile, fields that one of the two changed are put together;
 * for those that both did, `conflict` has what to choose from.
 */
export function useSaveChanges<
  Values extends FieldValues,
  Name extends Names<Values>,
  Input,
  Saved extends Versioned,
>(form: UseFormReturn<Values>, options: Options<Values, Name, Input, Saved>) {
  type Changed = Change<Values, Name>;
  const { saved, action, changes, names, toInput, toValues, whole = false, onSaved } = options;
  const { onRefused = (problem: Problem) => showProblem(form, names, problem) } = options;
  const [outcome, setOutcome] = useState<SaveOutcome<Changed> | null>(null);
  const [stale, setStale] = useState<Stale<Changed, Saved> | null>(null);
  const { typed, before, changed, count } = useTypedChanges<Values, Name>(form, names, whole);
  const [edited, setEdited] = useEditedVersion({ control: form.control, saved, typed, names, toValues });
  const mutation = useAction(action, {
    changes,
    onSuccess: (reply) => onSaved?.(reply),
    onError: ({ problem }) => currentOf(problem) ?? onRefused(problem),
  });

  function take(current: Saved, done: SaveOutcome<Changed>) {
    setEdited(current);
    form.reset(toValues(current), { keepDirtyValues: false });
    setOutcome(done);
    setStale(null);
  }
  function send(change: Changed, done: SaveOutcome<Changed>, against: Saved) {
    form.clearErrors();
    mutation.mutate(toInput(change, against), {
      onSuccess: (reply) => take(reply, done),
      onError: ({ problem }) => {
        setStale(null);
        const current = currentOf(problem) as Saved | null;
        if (!current) return;
        const conflicts = findConflicts(toValues(against), toValues(current), change);
        if (conflicts.length > 0) setStale({ conflicts, change, current, done });
        else send(change, done, current);
      },
    });
  }
  function resolve({ change, current }: Stale<Changed, Saved>, theirs: readonly string[]) {
    const mine = (Object.keys(change) as Name[]).filter((name) => !theirs.includes(name));
    if (mine.length === 0) {
      take(current, { words: "Kept what is saved", before: null });
      return onSaved?.(current);
    }
    const done = { words: "Saved your choices", before: pick(toValues(current), mine) };
    send(pick(change as Values, mine), done, current);
  }
  return {
    changed,
    /** How many changes there are in them: each permission ticked counts. */
    changes: count,
    pending: mutation.isPending,
    outcome,
    save(values: Values) {
      if (changed.length === 0) return;
      const words = `Saved ${count} ${count === 1 ? "change" : "changes"}`;
      send(pick(values, changed), { words, before: pick(before, changed) }, edited);
    },
    undo: () => outcome?.before && send(outcome.before, { words: "Undone", before: null }, edited),
    discard: () => discardChanges(form),
    conflict: stale && {
      conflicts: stale.conflicts,
      pending: mutation.isPending,
      onClose: () => setStale(null),
      onChosen: (theirs: readonly string[]) => resolve(stale, theirs),
    },
  };
}

/** What is typed in a form, what was there before, and which fields differ: all of them with `whole`. */
function useTypedChanges<Values extends FieldValues, Name extends Names<Values>>(
  form: UseFormReturn<Values>,
  names: readonly Name[],
  whole: boolean,
) {
  const typed = useWatch({ control: form.control }) as Values;
  const before = (form.formState.defaultValues ?? {}) as Values;
  const changed = names.filter((name) => whole || countChanges(before[name], typed[name]) > 0);
  const count = countChanges(pick(before, changed), pick(typed, changed));
  return { typed, before, changed, count };
}

/** What a stale save would have changed, as it is now. */
function currentOf(problem: Problem): unknown {
  return problem.code === "stale" ? problem.current : null;
}

function pick<Values, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Change<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Change<Values, Name>;
}
