"use client";

import { useRouter } from "next/navigation";
import { ProblemState } from "@/app/queries/problem-state";
import type { Problem } from "@/lib/console/problem";

/** The gateway could not even say which projects there are. */
export function NoAnswer({ problem }: { problem: Problem }) {
  const router = useRouter();
  return <ProblemState problem={problem} to="list the keys" retry={() => router.refresh()} />;
}
