"use client";

import { Check } from "lucide-react";
import { type Control, useController } from "react-hook-form";
import { classNames } from "@/components/ui/class-names";
import { findPreset, type PresetName, presetNames } from "@/lib/contract/calls/provider-presets";
import type { ProviderFormValues } from "./provider-form-schema";

type PresetFieldProps = {
  control: Control<ProviderFormValues>;
  name: "preset";
  label: string;
  choose: (name: PresetName) => void;
};

/** Buttons instead of radio buttons: a choice moves the focus, so the arrow keys mustn't choose on their way. */
export function PresetField({ control, name, label, choose }: PresetFieldProps) {
  const { field } = useController({ control, name });
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <code className="font-mono text-xs text-muted">preset</code>
      </legend>
      <div className="grid grid-cols-2 gap-1.5 sm:grid-cols-3">
        {presetNames.map((preset, index) => {
          const isChosen = field.value === preset;
          return (
            <button
              key={preset}
              ref={index === 0 ? field.ref : undefined}
              type="button"
              aria-pressed={isChosen}
              onClick={() => choose(preset)}
              className={classNames(
                "flex h-9 min-w-0 items-center justify-between gap-1.5 rounded-md border bg-surface px-2.5 text-left text-sm hover:bg-default-soft pointer-coarse:h-11",
                preset === "other" && "col-span-full sm:col-span-2",
                isChosen && "border-accent font-medium outline outline-accent",
              )}
            >
              <span className="truncate">{findPreset(preset).title}</span>
              {isChosen && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
