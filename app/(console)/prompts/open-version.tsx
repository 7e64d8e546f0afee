"use client";

import { useMemo } from "react";
import { findFirstCallable } from "@/components/models/list-callable-models";
import { OpenInPlayground } from "@/components/playground/conversations/open-in-playground";
import { createWorkbenchFromCall } from "@/components/playground/panes/create-workbench-from-call";
import { useRead } from "@/components/queries/reads/use-read";
import { wholeList } from "@/components/queries/reads/whole-list";
import type { Prompt, PromptVersion } from "@/lib/contract/operations/playground/prompts";

/** Opens a version in the playground, where it can be tried, edited and saved as a new version. */
export function OpenVersion({ prompt, version }: { prompt: Prompt; version: PromptVersion }) {
  const models = useRead(...wholeList("listOrganizationModels"));
  const model = models.data ? (findFirstCallable(models.data.data)?.id ?? "") : "";
  const { endpoint, body } = version.content;
  const workbench = useMemo(() => {
    const opened = createWorkbenchFromCall(JSON.stringify({ model, ...body }), endpoint);
    // With the first case filled in, the call can be sent as it is.
    const variables = prompt.cases[0]?.variables;
    return opened && { ...opened, promptId: prompt.id, ...(variables && { variables }) };
  }, [model, body, endpoint, prompt.id, prompt.cases]);
  return (
    <OpenInPlayground
      workbench={workbench}
      title={prompt.name}
      projectId={prompt.project_id}
      label="Open in playground"
    />
  );
}
