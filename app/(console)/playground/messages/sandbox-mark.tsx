import { FlaskConical } from "lucide-react";
import { Status } from "@/components/ui/status";

/** Marks output of a sandbox model, so that nobody takes it for a real model's. */
export function SandboxMark() {
  return (
    <Status tone="near" icon={FlaskConical}>
      Sandbox, not an AI
    </Status>
  );
}
