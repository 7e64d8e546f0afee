import { FlaskConical } from "lucide-react";
import { Badge } from "@/components/ui/badge";

/** Marks a model whose answers are made up by the gateway itself. */
export function SandboxBadge() {
  return (
    <Badge>
      <FlaskConical aria-hidden className="mr-1 size-3" />
      Sandbox
    </Badge>
  );
}
