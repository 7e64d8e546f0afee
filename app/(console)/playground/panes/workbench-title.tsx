"use client";

import { TextLink } from "@/components/ui/links/text-link";
import { paths } from "@/lib/console/paths";
import type { OpenPrompt } from "../cases/use-open-prompt";

/** The screen's title, or on a desk the open prompt with its version. */
export function WorkbenchTitle({ open }: { open: OpenPrompt | null }) {
  if (!open)
    return <h1 className="min-w-0 flex-1 px-1.5 text-lg font-semibold max-lg:sr-only">Playground</h1>;
  const { prompt, isEdited } = open;
  return (
    <>
      <h1 className="sr-only">Playground</h1>
      <p className="flex min-w-0 flex-1 items-center gap-2 px-1.5 max-lg:hidden">
        <TextLink href={paths.prompt(prompt.project_id, prompt.id)} className="truncate font-medium">
          {prompt.name}
        </TextLink>
        <span className="shrink-0 rounded-sm border px-1.5 py-0.5 text-xs text-muted">
          v{prompt.latest_version}
          {isEdited && " · edited"}
        </span>
      </p>
    </>
  );
}
