"use client";

import { useRouter } from "next/navigation";
import { ProblemState } from "@/components/queries/states/problem-state";
import type { Problem } from "@/lib/console/gateway/problem";

/** Shown if the gateway couldn't list projects. `to` is the screen's purpose: "list the keys". */
export function NoAnswer({ problem, to }: { problem: Problem; to: string }) {
  const router = useRouter();
  return <ProblemState problem={problem} to={to} retry={() => router.refresh()} />;
}
