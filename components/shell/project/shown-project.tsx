"use client";

import { useRouter } from "next/navigation";
import { createContext, type ReactNode, startTransition, useContext, useEffect, useEffectEvent } from "react";
import { toast } from "../../ui/dialog/toast";
import type { ShellData } from "../shell-data";

type Selection = Pick<ShellData, "projects" | "currentProjectId" | "isEveryProject">;

const SelectionContext = createContext<Selection | null>(null);

/** What the shell showed when a screen opened with another project, until the shell shows that one, too. */
let before: Selection | null = null;

/** Tells `children` what the shell shows as selected. */
export function SelectionScope({ children, ...selection }: Selection & { children: ReactNode }) {
  return <SelectionContext value={selection}>{children}</SelectionContext>;
}

/**
 * Names the project that a screen shows; null for none or every one. If the shell shows another, since that one was
 * archived or another selected after the shell was rendered, the shell follows, and a toast says why. Renders nothing.
 */
export function ShownProject({ id }: { id: string | null }) {
  const router = useRouter();
  const selection = useContext(SelectionContext);
  const compare = useEffectEvent((shownId: string | null) => {
    if (!selection) return;
    if ((selection.currentProjectId ?? null) !== shownId) {
      before = selection;
      startTransition(() => router.refresh());
      return;
    }
    // The same one as before: the screen was an old one, kept by the router.
    if (before && before.currentProjectId !== selection.currentProjectId)
      toast({ message: explainChange(before, selection), tone: "neutral" });
    before = null;
  });
  useEffect(() => compare(id), [id]);
  return null;
}

function explainChange(left: Selection, now: Selection): string {
  const nameIn = ({ projects = [] }: Selection, id: string | undefined) =>
    projects.find((project) => project.id === id)?.name;
  const nowName = nameIn(now, now.currentProjectId);
  const shown = now.isEveryProject ? "all projects" : nowName ? `the project “${nowName}”` : "no project";
  const leftName = nameIn(left, left.currentProjectId);
  const isGone = leftName !== undefined && nameIn(now, left.currentProjectId) === undefined;
  return isGone
    ? `The project “${leftName}” was archived, or you can’t open it any more. You now see ${shown}.`
    : `You now see ${shown}, which was selected meanwhile.`;
}
