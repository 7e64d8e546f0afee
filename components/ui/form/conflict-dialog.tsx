"use client";

import { useId, useState } from "react";
import { Button } from "../button";
import { Dialog } from "../dialog/dialog";
import type { SelectOption } from "../fields/select-options";
import { ScriptForm } from "../script-form";
import { type Conflict, describeValue } from "./find-conflicts";

type Choice = "current" | "edited";

export type ConflictDialogProps = {
  conflicts: readonly Conflict[];
  labels: Readonly<Record<string, string | undefined>>;
  /** The text for an empty field: "No limit". */
  nothing: string;
  /** The options of the form's selects, by field. */
  choices?: Readonly<Record<string, readonly SelectOption[]>> | undefined;
  pending: boolean;
  onClose: () => void;
  /** Called with the names of the fields that keep the other person's value. */
  onChosen: (current: readonly string[]) => void;
};

/**
 * Lets the person choose, for each conflicting field, between their own value and the saved value of another person.
 */
export function ConflictDialog(props: ConflictDialogProps) {
  const { conflicts, labels, nothing, choices = {}, pending, onClose, onChosen } = props;
  const id = useId();
  const [kept, setKept] = useState<Readonly<Record<string, Choice>>>({});
  const isDecided = conflicts.every(({ name }) => kept[name]);
  return (
    <Dialog
      open
      onClose={onClose}
      position="wide"
      title="Someone else saved this while you were editing"
      description="Your changes were not saved. Choose which value to keep for each field that both of you changed."
      footer={
        <>
          <Button onClick={onClose}>Keep editing</Button>
          <Button type="submit" form={id} variant="primary" pending={pending} disabled={!isDecided}>
            Save choices
          </Button>
        </>
      }
    >
      <ScriptForm
        id={id}
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          const current = conflicts.filter(({ name }) => kept[name] === "current");
          if (isDecided && !pending) onChosen(current.map(({ name }) => name));
        }}
      >
        {conflicts.map((conflict) => (
          <ConflictField
            key={conflict.name}
            conflict={conflict}
            label={labels[conflict.name] ?? conflict.name}
            describe={(value) =>
              describeValue(value, conflict.was, { nothing, choices: choices[conflict.name] })
            }
            choice={kept[conflict.name]}
            choose={(choice) => setKept({ ...kept, [conflict.name]: choice })}
          />
        ))}
      </ScriptForm>
    </Dialog>
  );
}

type ConflictFieldProps = {
  conflict: Conflict;
  label: string;
  describe: (value: unknown) => string;
  choice: Choice | undefined;
  choose: (choice: Choice) => void;
};

function ConflictField({ conflict, label, describe, choice, choose }: ConflictFieldProps) {
  const id = useId();
  const { was, current, edited } = conflict;
  const options = [
    { value: "current", title: "Saved by someone else", text: describe(current) },
    { value: "edited", title: "Yours", text: describe(edited) },
  ] as const;
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <span className="min-w-0 text-sm wrap-anywhere text-muted">Before: {describe(was)}</span>
      </legend>
      <div className="grid gap-2 sm:grid-cols-2">
        {options.map(({ value, title, text }) => (
          <label
            key={value}
            className="flex min-w-0 cursor-pointer items-start gap-2.5 rounded-md border px-3 py-2 hover:bg-default-soft has-checked:border-accent pointer-coarse:py-3"
          >
            <span className="flex h-5 items-center">
              <input
                type="radio"
                name={id}
                value={value}
                checked={choice === value}
                onChange={() => choose(value)}
                className="size-4 shrink-0 rounded-full accent-accent"
              />
            </span>
            <ChoiceWords title={title} text={text} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function ChoiceWords({ title, text }: { title: string; text: string }) {
  return (
    <span className="min-w-0">
      <span className="block text-sm text-muted">{title}</span>
      <span className="block font-medium whitespace-pre-line wrap-anywhere">{text}</span>
    </span>
  );
}
