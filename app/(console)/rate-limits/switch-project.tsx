"use client";

import { useRouter } from "next/navigation";
import { useEffect, useTransition } from "react";
import { selectProject } from "../select-project";
import { RateLimitSkeleton } from "./rate-limit-skeleton";

/** Selects the project that a link names, then shows the link's page without naming it. */
export function SwitchProject({ projectId, href }: { projectId: string; href: string }) {
  const router = useRouter();
  const [, startSwitching] = useTransition();
  useEffect(() => {
    startSwitching(async () => {
      await selectProject(projectId);
      router.replace(href);
    });
  }, [projectId, href, router]);
  return <RateLimitSkeleton />;
}
