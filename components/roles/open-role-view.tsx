"use client";

import { useAction } from "@/components/queries/actions/use-action";
import { toast } from "@/components/ui/dialog/toast";
import { releaseUnsaved } from "@/components/ui/dialog/unsaved";
import { paths } from "@/lib/console/paths";
import { leaveView, startView } from "./assignment-actions";

/** Loads a page anew: nothing that was read with other rights stays. What is typed is kept as a draft. */
function load(path: string): void {
  releaseUnsaved();
  window.location.assign(path);
}

const showFailure = ({ message }: { message: string }) => void toast({ message, tone: "bad" });

/** Begins a view as a role, at the console's first screen. */
export function useOpenRoleView() {
  return useAction(startView, { onSuccess: () => load(paths.overview()), onError: showFailure });
}

/** Leaves the view, and goes to the role. */
export function useLeaveRoleView(roleId: string) {
  return useAction(leaveView, { onSuccess: () => load(paths.role(roleId)), onError: showFailure });
}
