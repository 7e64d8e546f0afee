"use client";

import { useMemo } from "react";
import { OpenInPlayground } from "@/components/playground/conversations/open-in-playground";
import { createWorkbenchFromCall } from "@/components/playground/panes/create-workbench-from-call";
import type { RequestBody } from "@/lib/contract/operations/calls/request-bodies";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";

type OpenWholeCallProps = { receipt: RequestReceipt; body: RequestBody };

/** Opens a call in the playground, from the body that was read. Sending there repeats the same call. */
export function OpenWholeCall({ receipt, body }: OpenWholeCallProps) {
  const endpoint = receipt.client?.endpoint === "messages" ? "messages" : "chat_completions";
  const workbench = useMemo(() => createWorkbenchFromCall(body.request.text, endpoint), [body, endpoint]);
  return (
    <OpenInPlayground
      workbench={workbench}
      projectId={receipt.request.project_id}
      label="Open prompt in playground"
    />
  );
}
