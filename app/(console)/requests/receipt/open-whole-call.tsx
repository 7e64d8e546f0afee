"use client";

import { useMemo } from "react";
import type { RequestBody } from "@/lib/contract/operations/request-bodies";
import type { RequestReceipt } from "@/lib/contract/operations/requests";
import { OpenBench } from "../../playground/conversations/open-bench";
import { benchOfCall } from "../../playground/panes/bench-of-call";

type OpenWholeCallProps = { receipt: RequestReceipt; body: RequestBody };

/** Opens a call in the playground, from the body that was read. Sending there repeats the same call. */
export function OpenWholeCall({ receipt, body }: OpenWholeCallProps) {
  const endpoint = receipt.client?.endpoint === "messages" ? "messages" : "chat_completions";
  const bench = useMemo(() => benchOfCall(body.request.text, endpoint), [body, endpoint]);
  return <OpenBench bench={bench} projectId={receipt.request.project_id} label="Open prompt in playground" />;
}
