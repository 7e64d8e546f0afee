import { FlaskConical } from "lucide-react";
import { Badge } from "@/components/ui/badge";
import { Status } from "@/components/ui/status";
import type { OrganizationModel } from "@/lib/contract/operations/models";
import { uncallableReason } from "./describe-model";

/** Badges for sandbox models and for models that can't be called. */
export function ModelMarks({ model }: { model: OrganizationModel }) {
  return (
    <>
      {model.sandbox && (
        <Badge>
          <FlaskConical aria-hidden className="mr-1 size-3" />
          sandbox, not an AI
        </Badge>
      )}
      {uncallableReason(model) && <Status tone="near">not callable</Status>}
    </>
  );
}
