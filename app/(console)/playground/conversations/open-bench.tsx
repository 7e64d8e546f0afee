"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { paths } from "@/lib/console/paths";
import type { Bench } from "../panes/pane";
import { keepConversation } from "./conversation-actions";
import { newKeeping } from "./keeping";
import { contentOf, titleOf } from "./kept-content";

type OpenBenchProps = {
  /** Null if the playground can't represent the call. */
  bench: Bench | null;
  title?: string;
  projectId: string;
  label: string;
};

/** Opens a workbench in the playground as a new conversation. */
export function OpenBench({ bench, title, projectId, label }: OpenBenchProps) {
  const router = useRouter();
  const keeping = useAction(keepConversation);
  const content = useMemo(() => bench && contentOf(bench), [bench]);
  if (!bench || !content)
    return (
      <p className="text-sm text-muted">
        It can’t be opened in the playground, which has no place for all of its parts.
      </p>
    );
  const draft = { title: title ?? titleOf(bench), project_id: projectId, content };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button
        pending={keeping.isPending}
        onClick={() =>
          keeping.mutate(
            { id: newKeeping().id, draft },
            { onSuccess: ({ id }) => router.push(paths.playground({ conversation: id })) },
          )
        }
      >
        {label}
      </Button>
      {keeping.error && (
        <span role="alert" className="text-danger">
          {keeping.error.problem.message}
        </span>
      )}
    </div>
  );
}
