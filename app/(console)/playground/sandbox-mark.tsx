import { FlaskConical } from "lucide-react";
import { Status } from "@/components/ui/status";

/** Wherever the words of a sandbox model are shown, so that they are never taken for an AI's. */
export function SandboxMark() {
  return (
    <Status tone="near" icon={FlaskConical}>
      Sandbox: no AI
    </Status>
  );
}
