"use client";

import { Eye } from "lucide-react";
import { useOpenRoleView } from "@/components/roles/open-role-view";
import { Button } from "@/components/ui/button";

type ViewAsRoleProps = {
  role: { readonly id: string; readonly name: string };
  /** The permissions of an unsaved draft. */
  drafted?: readonly string[] | undefined;
};

/** Shows the console as the role sees it, with what is typed and not saved yet. */
export function ViewAsRole({ role: { id, name }, drafted }: ViewAsRoleProps) {
  const view = useOpenRoleView();
  return (
    <Button
      pending={view.isPending || view.isSuccess}
      disabled={drafted?.length === 0}
      onClick={() =>
        view.mutate({ roleId: id, roleName: name, ...(drafted && { permissions: [...drafted] }) })
      }
    >
      <Eye aria-hidden />
      View as this role
    </Button>
  );
}
