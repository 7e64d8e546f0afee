"use client";

import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { selectProject } from "@/components/queries/session/select-project";
import { tellIfRefused } from "@/components/shell/tell-if-refused";

type SwitchProjectProps = {
  /** Null if it is selected already. */
  projectId: string | null;
  /** The address without the name of the project, if it has one. */
  href?: string;
};

/**
 * Selects the project of a link, and drops its name from the address, so that the shell can switch it. Renders nothing.
 */
export function SwitchProject({ projectId, href }: SwitchProjectProps) {
  const router = useRouter();
  const [, startSwitching] = useTransition();
  useEffect(() => {
    startSwitching(async () => {
      const isSelected =
        projectId === null || (await tellIfRefused(() => selectProject(projectId), "project switch"));
      if (isSelected && href !== undefined) router.replace(href);
    });
  }, [projectId, href, router]);
  return null;
}
