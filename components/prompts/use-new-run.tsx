"use client";

import { type ReactNode, useRef } from "react";
import { useCreate } from "@/components/queries/actions/use-create";
import { Notice } from "@/components/ui/notice";
import type { Prompt } from "@/lib/contract/operations/playground/prompts";
import { createPromptRun } from "./actions";
import type { Cell } from "./run-cells";
import type { PromptRunning } from "./use-run";

interface NewRunStart {
  /** Creates the run at the gateway, then sends its calls from this page. */
  start(versions: readonly number[], models: readonly string[], cells: readonly Cell[]): void;
  readonly isPending: boolean;
  /** Why the last one could not be started; null if it could. */
  readonly refusal: ReactNode;
}

/** Starts runs of a prompt's cases. `begun` receives the id of each. */
export function useNewRun(
  prompt: Pick<Prompt, "id" | "project_id">,
  running: Pick<PromptRunning, "start" | "hasLeft">,
  begun: (runId: string) => void,
): NewRunStart {
  const asked = useRef<readonly Cell[]>([]);
  const { mutate, error, isPending } = useCreate(createPromptRun, {
    refetch: ["listPromptRuns"],
    onSuccess: (run) => {
      // The reply can come after the page was left, where nobody would see or stop the calls.
      if (running.hasLeft()) return;
      begun(run.id);
      void running.start(run.id, asked.current);
    },
  });
  const ids = { projectId: prompt.project_id, promptId: prompt.id };
  return {
    start(versions, models, cells) {
      asked.current = cells;
      mutate({ ...ids, versions: versions.toSorted((one, other) => one - other), models: [...models] });
    },
    isPending,
    refusal: error && (
      <Notice tone="bad" role="alert" title="The run could not be started">
        {error.problem.message}
      </Notice>
    ),
  };
}
