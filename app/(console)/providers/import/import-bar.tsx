"use client";

import { CircleCheck, TriangleAlert } from "lucide-react";
import { Button } from "@/components/ui/button";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { formatCount } from "@/components/ui/values/group-digits";
import { type MissingField, MOST_IMPORTED } from "./import-choices";

/** The projects that may call the models: none, all of them, or the one with this id. */
export const NO_PROJECT = "none";
export const EVERY_PROJECT = "every";

type ImportBarProps = {
  count: number;
  missing: MissingField | null;
  /** Why nothing can be imported besides: a fault of the provider or of the rate. */
  fault: string | null;
  projects: readonly { readonly id: string; readonly name: string }[];
  allowed: string;
  setAllowed: (allowed: string) => void;
  isNew: boolean;
  isPending: boolean;
  save: () => void;
};

/** Says what is missing, who may call the models, and how many are imported. */
export function ImportBar(props: ImportBarProps) {
  const { count, missing, fault, projects, allowed, setAllowed, isNew, isPending, save } = props;
  const isTooMany = count > MOST_IMPORTED;
  const stops = fault ?? missing?.sentence ?? (isTooMany ? `At most ${MOST_IMPORTED} models at once` : null);
  const models = count === 1 ? "1 model" : `${formatCount(count)} models`;
  const label = count > 0 ? `Import ${models}` : isNew ? "Add provider" : "Import models";
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t bg-surface px-4 py-3 sm:px-6">
      {stops ? (
        <TriangleAlert aria-hidden className="size-4 shrink-0 text-warning" />
      ) : (
        <CircleCheck aria-hidden className="size-4 shrink-0 text-muted" />
      )}
      <p role="status" className="min-w-48 flex-1 text-sm">
        {stops ? (
          <>
            <span className="font-medium">
              {stops}
              {missing && !fault && ":"}
            </span>{" "}
            {missing && !fault && <code className="font-mono text-xs break-all">{missing.model}</code>}
            <span className="block text-xs text-muted">
              {missing && !fault && "Fill it in or untick the model. Without a price it can’t be called."}
            </span>
          </>
        ) : (
          <span className="text-muted">
            {count > 0
              ? "All or none are imported."
              : isNew
                ? "The provider is added without models."
                : "Nothing is ticked."}
          </span>
        )}
      </p>
      {count > 0 && (
        <div className="flex items-center gap-2 text-sm text-muted">
          Allowed in
          <ChoiceSelect
            label="Allowed in"
            value={allowed}
            options={[
              { value: NO_PROJECT, label: "no project yet" },
              { value: EVERY_PROJECT, label: "every project" },
              ...projects.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            choose={setAllowed}
            className="h-9 w-auto max-w-48 text-foreground"
          />
        </div>
      )}
      <Button
        variant="primary"
        pending={isPending}
        disabled={stops !== null || (count === 0 && !isNew)}
        onClick={save}
      >
        {label}
      </Button>
    </div>
  );
}
