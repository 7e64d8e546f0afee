"use client";

import { useRouter } from "next/navigation";
import { useMemo } from "react";
import { useAction } from "@/app/queries/use-action";
import { Button } from "@/components/ui/button";
import { paths } from "@/lib/console/paths";
import type { RequestBody } from "@/lib/contract/operations/request-bodies";
import type { RequestReceipt } from "@/lib/contract/operations/requests";
import { benchOfCall } from "../playground/bench-of-call";
import { keepConversation } from "../playground/conversation-actions";
import { newKeeping } from "../playground/keeping";
import { contentOf, titleOf } from "../playground/kept-content";

type OpenWholeCallProps = { receipt: RequestReceipt; body: RequestBody };

/** Opens a call whose body was read in the playground, as a conversation of one's own: sending it sends the same call again. */
export function OpenWholeCall({ receipt, body }: OpenWholeCallProps) {
  const router = useRouter();
  const keeping = useAction(keepConversation);
  const endpoint = receipt.client?.endpoint === "messages" ? "messages" : "chat_completions";
  const bench = useMemo(() => benchOfCall(body.request.text, endpoint), [body, endpoint]);
  const content = useMemo(() => bench && contentOf(bench), [bench]);
  if (!bench || !content)
    return (
      <p className="text-sm text-muted">
        Its prompt can’t be opened in the playground, which has no place for all of its parts.
      </p>
    );
  const draft = { title: titleOf(bench), project_id: receipt.request.project_id, content };
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
        Open prompt in playground
      </Button>
      {keeping.error && (
        <span role="alert" className="text-danger">
          {keeping.error.problem.message}
        </span>
      )}
    </div>
  );
}
