"use client";

import { type Control, useController } from "react-hook-form";
import { ApiName } from "@/components/ui/api-name";
import { classNames } from "@/components/ui/class-names";
import { findPreset, type PresetName, presetNames } from "@/lib/contract/calls/provider-presets";
import type { LocalServer } from "@/lib/contract/operations/models/provider-tests";
import type { ProviderFormValues } from "./provider-form-schema";

type PresetFieldProps = {
  control: Control<ProviderFormValues>;
  name: "preset";
  label: string;
  choose: (name: PresetName) => void;
  /** The servers that run on the gateway's machine. */
  found: readonly LocalServer[];
};

/** Buttons instead of radio buttons: a choice moves the focus, so the arrow keys mustn't choose on their way. */
export function PresetField({ control, name, label, choose, found }: PresetFieldProps) {
  const { field } = useController({ control, name });
  return (
    <fieldset className="grid min-w-0 gap-1.5">
      <legend className="mb-1.5 flex w-full flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{label}</span>
        <ApiName name="preset" />
      </legend>
      <div className="grid grid-cols-2 gap-1 sm:grid-cols-3">
        {presetNames.map((preset, index) => {
          const isChosen = field.value === preset;
          const server = found.find((one) => one.preset === preset);
          return (
            <button
              key={preset}
              ref={index === 0 ? field.ref : undefined}
              type="button"
              aria-pressed={isChosen}
              onClick={() => choose(preset)}
              className={classNames(
                "flex h-8 min-w-0 items-center gap-1.5 rounded-md border bg-surface px-1.75 text-left text-sm hover:bg-default-soft pointer-coarse:h-11",
                server ? "col-span-full" : preset === "other" && "sm:col-span-2",
                isChosen && "border-accent font-medium outline outline-accent",
              )}
            >
              <span className="truncate">{findPreset(preset).title}</span>
              {server && (
                <span className="ml-auto truncate rounded-sm bg-success-soft px-1.5 text-xs font-normal text-success">
                  found on this machine, {server.models === 1 ? "1 model" : `${server.models} models`}
                </span>
              )}
            </button>
          );
        })}
      </div>
    </fieldset>
  );
}
