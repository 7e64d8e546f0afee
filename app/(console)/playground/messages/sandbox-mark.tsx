import { FlaskConical } from "lucide-react";
import { Status } from "@/components/ui/status";

/**
 * Marks output of a sandbox model, so that nobody takes it for a real model's. In a narrow container, such as one of
 * three panes, the icon stands alone.
 */
export function SandboxMark() {
  return (
    <span title="Sandbox, not an AI" className="inline-flex">
      <Status tone="near" icon={FlaskConical}>
        <span className="@max-sm:sr-only">Sandbox, not an AI</span>
      </Status>
    </span>
  );
}
