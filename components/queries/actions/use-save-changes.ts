"use client";

import { useState } from "react";
import { type FieldPath, type FieldValues, type UseFormReturn, useWatch } from "react-hook-form";
import { copyValues, countChanges, takeSavedValues, useEditBase } from "@/components/ui/drafts/form-changes";
import { useDiscard, useIsGone } from "@/components/ui/drafts/gone-notice";
import { type Conflict, findConflicts } from "@/components/ui/form/find-conflicts";
import { countNouns } from "@/components/ui/values/group-digits";
import { type ActionReply, isGone, type Problem } from "@/lib/console/gateway/problem";
import type { ReadId } from "@/lib/console/reads/reads";
import { showProblem } from "./show-problem";
import { useAction } from "./use-action";

type Names<Values extends FieldValues> = keyof Values & FieldPath<Values>;
type Versioned = { version?: string | undefined };
type Change<Values, Name extends keyof Values> = Partial<Pick<Values, Name>>;

type Options<Values extends FieldValues, Name extends Names<Values>, Input, Saved extends Versioned> = {
  /** The object as read last. */
  saved: Saved;
  action: (input: Input) => Promise<ActionReply<Saved>>;
  /** Reads to refetch afterwards. */
  refetch: readonly ReadId[];
  /** The API's names of the fields to send. */
  names: readonly Name[];
  /** Builds the action's input. `against` is the object being changed; its version is sent along. */
  toInput: (change: Change<Values, Name>, against: Saved) => Input;
  toValues: (saved: Saved) => Values;
  /** The object while there is none, if it can be set again after somebody has removed it. */
  none?: Saved;
  /** Sends all fields, including unchanged ones. */
  sendsAll?: boolean;
  /** Called after a save, or after the person chose to keep the saved values. */
  onSaved?: (saved: Saved) => void;
  /** Called if a save was refused. By default, the form's fields show the error. */
  onRefused?: ((problem: Problem) => void) | undefined;
};

/** The result of the last save, and the values that undo it; null if there is nothing to undo. */
type SaveOutcome<Changed> = { text: string; before: Changed | null };

/** A stale save: the conflicting fields, and everything needed to repeat it. */
type Stale<Values, Changed, Saved> = {
  conflicts: Conflict[];
  change: Changed;
  current: Saved;
  done: SaveOutcome<Changed>;
  /** The form's values at the press of Save. */
  sentValues: Values;
};

/**
 * Saves a form that edits one object: sends only changed fields, with the version they are based on, and can undo the
 * last save. If somebody else saved meanwhile, merges changes to different fields; `conflict` has the fields that both
 * changed. An undo has the version of this save, so that it asks before it overwrites a later one.
 */
export function useSaveChanges<
  Values extends FieldValues,
  Name extends Names<Values>,
  Input,
  Saved extends Versioned,
>(form: UseFormReturn<Values>, options: Options<Values, Name, Input, Saved>) {
  type Changed = Change<Values, Name>;
  const { saved, action, refetch, names, toInput, toValues, none, sendsAll = false, onSaved } = options;
  const { onRefused = (problem: Problem) => showProblem(form, names, problem) } = options;
  const [outcome, setOutcome] = useState<(SaveOutcome<Changed> & { reply: Saved }) | null>(null);
  const [stale, setStale] = useState<Stale<Values, Changed, Saved> | null>(null);
  const { typed, before, changed, count } = useTypedChanges<Values, Name>(form, names, sendsAll);
  const [edited, setEdited] = useEditedVersion({ control: form.control, saved, typed, names, toValues });
  const mutation = useAction(action, {
    refetch,
    onSuccess: (reply) => onSaved?.(reply),
    onError: ({ problem }) => readCurrent(problem) ?? onRefused(problem),
  });

  function take(current: Saved, done: SaveOutcome<Changed>, sentValues: Values) {
    setEdited(current);
    takeSavedValues(form, toValues(current), sentValues);
    setOutcome({ ...done, reply: current });
    setStale(null);
  }
  function send(change: Changed, done: SaveOutcome<Changed>, against: Saved, sentValues = copyValues(form)) {
    form.clearErrors();
    mutation.mutate(toInput(change, against), {
      onSuccess: (reply) =>
        take(reply, extendUndo(names, done, toValues(against), toValues(reply)), sentValues),
      onError: ({ problem }) => {
        setStale(null);
        const current = readCurrent(problem) as Saved | null;
        if (!current) return none && isGone(problem) && setEdited(none);
        const conflicts = findConflicts(toValues(against), toValues(current), change);
        if (conflicts.length > 0) setStale({ conflicts, change, current, done, sentValues });
        else send(change, done, current, sentValues);
      },
    });
  }
  function resolve(refused: Stale<Values, Changed, Saved>, currentFields: readonly string[]) {
    const { change, current, sentValues } = refused;
    const mine = (Object.keys(change) as Name[]).filter((name) => !currentFields.includes(name));
    if (mine.length === 0) {
      take(current, { text: "Kept the saved values", before: null }, sentValues);
      return onSaved?.(current);
    }
    const done = { text: "Saved your choices", before: pick(toValues(current), mine) };
    send(pick(change as Values, mine), done, current, sentValues);
  }
  return {
    changed,
    changeCount: count,
    pending: mutation.isPending,
    isGone: useIsGone(form, true),
    outcome,
    save(values: Values) {
      const text = `Saved ${countNouns(count, "change")}`;
      if (changed.length > 0) send(pick(values, changed), { text, before: pick(before, changed) }, edited);
    },
    undo: () => outcome?.before && send(outcome.before, { text: "Undone", before: null }, outcome.reply),
    discard: useDiscard(form),
    conflict: stale && {
      conflicts: stale.conflicts,
      pending: mutation.isPending,
      onClose: () => setStale(null),
      onChosen: (currentFields: readonly string[]) => resolve(stale, currentFields),
    },
  };
}

/** Adds to the values that undo a save those that it changed along with the typed ones. */
function extendUndo<Values, Name extends keyof Values>(
  names: readonly Name[],
  { text, before }: SaveOutcome<Change<Values, Name>>,
  was: Values,
  now: Values,
): SaveOutcome<Change<Values, Name>> {
  return { text, before: before && selectUndoValues(names, before, was, now) };
}

/**
 * Returns the form's values, the previous values, the fields to send (with `sendsAll`, all fields) and the number of
 * changes, of which each permission is one.
 */
function useTypedChanges<Values extends FieldValues, Name extends Names<Values>>(
  form: UseFormReturn<Values>,
  names: readonly Name[],
  sendsAll: boolean,
) {
  const typed = useWatch({ control: form.control }) as Values;
  // The form's state has no saved values in the first render, nor on the server.
  const before = (form.formState.defaultValues ?? form.control._defaultValues) as Values;
  const changed = names.filter((name) => sendsAll || countChanges(before[name], typed[name]) > 0);
  const count = countChanges(pick(before, changed), pick(typed, changed));
  return { typed, before, changed, count };
}

/** Returns the object as it is now, if a save was stale and the object can be read; else null. */
function readCurrent(problem: Problem): unknown {
  return problem.code === "stale" && problem.current.state === "changed" ? problem.current.object : null;
}

function pick<Values, Name extends keyof Values>(
  values: Values,
  names: readonly Name[],
): Change<Values, Name> {
  return Object.fromEntries(names.map((name) => [name, values[name]])) as Change<Values, Name>;
}

type Editing<Saved, Values, Name extends keyof Values> = {
  /** The form's `control`. */
  control: object;
  /** The object as read last. */
  saved: Saved;
  typed: Values;
  names: readonly Name[];
  toValues: (saved: Saved) => Values;
};

/**
 * Returns the object that a form's changes are based on: the latest, unless somebody else has changed a field being
 * edited. Then it stays the earlier one, and the save is refused as stale. A draft stores it and restores it.
 */
function useEditedVersion<Saved extends object, Values, Name extends keyof Values>(
  editing: Editing<Saved, Values, Name>,
): [Saved, (saved: Saved) => void] {
  const { control, saved, typed, names, toValues } = editing;
  const [edited, setEdited] = useState(saved);
  const [seen, setSeen] = useState(saved);
  if (saved !== seen) {
    setSeen(saved);
    const [old, now] = [toValues(edited), toValues(saved)];
    const differs = (name: Name, one: Values, other: Values) => countChanges(one[name], other[name]) > 0;
    const isContested = (name: Name) =>
      differs(name, old, typed) && differs(name, old, now) && differs(name, now, typed);
    if (!names.some(isContested)) setEdited(saved);
  }
  useEditBase(control, edited, (object) => {
    // Compared with the saved object in the next render, when the form has the restored values.
    setEdited((object as Saved | null) ?? saved);
    setSeen((object as Saved | null) ?? saved);
  });
  return [edited, setEdited];
}

/**
 * The values that undo a save: those typed over, and those that the save changed along with them, such as a list that
 * another choice empties. `was` has the object's values at the save, `now` those of the reply.
 */
export function selectUndoValues<Values, Name extends keyof Values>(
  names: readonly Name[],
  typedOver: Partial<Pick<Values, Name>>,
  was: Values,
  now: Values,
): Partial<Pick<Values, Name>> {
  const changedAlong = names.filter((name) => countChanges(was[name], now[name]) > 0);
  const values = changedAlong.map((name) => [name, was[name]]);
  return { ...(Object.fromEntries(values) as Partial<Pick<Values, Name>>), ...typedOver };
}
