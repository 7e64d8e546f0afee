"use client";

import { TextLink } from "@/components/ui/text-link";
import { paths } from "@/lib/console/paths";
import type { OpenPrompt } from "../cases/use-open-prompt";
import type { OpenConversation } from "../conversations/open-conversation";
import { isBlank, toTitle } from "../conversations/saved-content";
import type { Workbench } from "./pane";

type WorkbenchTitleProps = {
  /** The prompt that is open; null if none is. */
  open: OpenPrompt | null;
  workbench: Workbench;
  conversation: Pick<OpenConversation, "title">;
};

/** The open prompt with its version, or else the conversation. */
export function WorkbenchTitle({ open, workbench, conversation }: WorkbenchTitleProps) {
  if (!open)
    return isBlank(workbench) ? null : (
      <p className="min-w-0 truncate px-1.5 font-medium">{conversation.title ?? toTitle(workbench)}</p>
    );
  const { prompt, isEdited } = open;
  return (
    <p className="flex min-w-0 items-center gap-2 px-1.5">
      <TextLink href={paths.prompt(prompt.id)} className="truncate font-medium">
        {prompt.name}
      </TextLink>
      <span className="shrink-0 rounded-sm border px-1.5 py-0.5 text-xs text-muted">
        v{prompt.latest_version}
        {isEdited && " · edited"}
      </span>
    </p>
  );
}
