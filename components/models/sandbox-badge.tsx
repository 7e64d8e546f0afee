import { FlaskConical } from "lucide-react";
import { Badge } from "@/components/ui/status";

/** Marks a model whose answers are made up by the gateway itself. */
export function SandboxBadge() {
  return (
    <Badge>
      <FlaskConical aria-hidden className="mr-1 size-3" />
      Sandbox
    </Badge>
  );
}

/** The same where rows are narrow, such as beside the names of the grid of limits. */
export function SandboxIcon() {
  return (
    <span title="Sandbox" className="inline-flex">
      <FlaskConical aria-hidden className="size-3" />
      <span className="sr-only">Sandbox</span>
    </span>
  );
}
