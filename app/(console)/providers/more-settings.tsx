"use client";

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";
import { type Control, useFormState } from "react-hook-form";
import type { ProviderFormValues } from "./provider-form-schema";

type MoreSettingsProps = {
  control: Control<ProviderFormValues>;
  /** The fields within: it opens where one of them has an error. */
  names: readonly string[];
  children: ReactNode;
};

/** Settings that most providers leave as they are filled in. */
export function MoreSettings({ control, names, children }: MoreSettingsProps) {
  const { errors } = useFormState({ control });
  const isRefused = names.some((name) => name in errors);
  return (
    <details className="group" open={isRefused || undefined}>
      <summary className="inline-flex min-h-6 cursor-pointer list-none items-center gap-1 rounded-sm text-muted hover:text-foreground pointer-coarse:min-h-11">
        <ChevronRight aria-hidden className="size-3.5 group-open:rotate-90" />
        More settings
      </summary>
      <div className="mt-4 grid gap-5">{children}</div>
    </details>
  );
}
