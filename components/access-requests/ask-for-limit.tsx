"use client";

import { limitFields, nameCounted } from "@/components/rate-limits/limit-fields";
import { formatCount } from "@/components/ui/values/group-digits";
import { rateLimitTable } from "@/lib/contract/calls/rate-limit-table";
import { AskButton } from "./ask-button";
import { type RefusedBy, suggestLimit } from "./suggest-limit";

const perWindow = { minute: "per minute", day: "per day" } as const;

type AskForLimitProps = {
  projectId: string;
  model: string;
  /** The limit that refused the call. */
  field: string;
  refusedBy: RefusedBy;
  requestId: string | null;
  /** Sends the call once more; undefined where it can't be sent from here. */
  tryAgain: (() => void) | undefined;
};

/** Lets whoever was refused ask for a higher limit in one click. */
export function AskForLimit({
  projectId,
  model,
  field: name,
  refusedBy,
  requestId,
  tryAgain,
}: AskForLimitProps) {
  const field = limitFields.find((known) => known.name === name);
  if (!field) return null;
  const more = suggestLimit(refusedBy);
  return (
    <AskButton
      draft={{ project_id: projectId, model, limits: { [field.name]: more }, request_id: requestId }}
      label={`Ask for ${formatCount(more)} ${nameCounted(field.name, more)} ${perWindow[rateLimitTable[field.name].window]}`}
      answeredBy="whoever sets this project’s limits"
      tryAgain={tryAgain}
    />
  );
}
