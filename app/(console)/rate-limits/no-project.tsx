import { Folder } from "lucide-react";
import { EmptyState } from "@/components/ui/empty-state";
import { LinkButton } from "@/components/ui/link-button";
import { paths } from "@/lib/console/paths";

export function NoProject() {
  return (
    <EmptyState
      icon={Folder}
      title="No project yet"
      action={
        <LinkButton variant="primary" href={paths.projects()}>
          Create a project
        </LinkButton>
      }
      example="For example “checkout” or “research”: each with keys and rate limits of its own."
    >
      Rate limits hold for one project and one model. A new project starts with each model’s defaults.
    </EmptyState>
  );
}
