import { explainUncallable } from "@/components/models/describe-model";
import { SandboxBadge } from "@/components/models/sandbox-badge";
import { Status } from "@/components/ui/status";
import type { OrganizationModel } from "@/lib/contract/operations/models/models";

/** Badges for sandbox models and for models that can't be called. */
export function ModelMarks({ model }: { model: OrganizationModel }) {
  return (
    <>
      {model.sandbox && <SandboxBadge />}
      {explainUncallable(model) && <NotCallable />}
    </>
  );
}

export const NotCallable = () => <Status tone="near">not callable</Status>;
