"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { Button } from "@/components/ui/button";
import { paths } from "@/lib/console/paths";
import type { Workbench } from "../workbench";
import { saveConversation } from "./conversation-actions";
import { createConversation } from "./open-conversation";
import { toContent, toTitle } from "./saved-content";

type OpenInPlaygroundProps = {
  /** Null if the playground can't represent the call. */
  workbench: Workbench | null;
  title?: string;
  projectId: string;
  label: string;
};

/** Opens a workbench in the playground as a new conversation. */
export function OpenInPlayground({ workbench, title, projectId, label }: OpenInPlaygroundProps) {
  const router = useRouter();
  const saving = useAction(saveConversation);
  const content = useMemo(() => workbench && toContent(workbench), [workbench]);
  if (!workbench || !content)
    return (
      <p className="text-sm text-muted">
        It can’t be opened in the playground, which doesn’t support all of its parts.
      </p>
    );
  const body = { title: title ?? toTitle(workbench), project_id: projectId, content };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        pending={saving.isPending}
        onClick={() =>
          saving.mutate(
            { id: createConversation().id, body },
            {
              onSuccess: ({ id }) => router.push(paths.playground(projectId, { conversation: id })),
            },
          )
        }
      >
        {label}
      </Button>
      {saving.error && (
        <span role="alert" className="text-danger">
          {saving.error.problem.message}
        </span>
      )}
    </div>
  );
}
