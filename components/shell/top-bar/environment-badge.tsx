"use client";

import { Box, FlaskConical, Globe } from "lucide-react";
import { Suspense, use } from "react";
import { classNames } from "../../ui/class-names";
import { Tooltip } from "../../ui/tooltip";
import type { Environment } from "../shell-data";

type EnvironmentBadgeProps = { environment: Environment; className?: string };

/** Shows which gateway answers the console's calls, and marks a sandbox so that nobody takes it for a real model. */
export function EnvironmentBadge(props: EnvironmentBadgeProps) {
  return (
    <Suspense fallback={null}>
      <Badge {...props} />
    </Suspense>
  );
}

function Badge({ environment, className }: EnvironmentBadgeProps) {
  const sandboxOnly = use(environment.sandboxOnly);
  const { icon: Icon, word, explanation } = describe(environment.kind, sandboxOnly);
  return (
    <Tooltip
      side="bottom"
      content={
        <>
          <span className="block">{explanation}</span>
          <span className="block font-mono opacity-80">{environment.address}</span>
        </>
      }
    >
      <span
        role="note"
        className={classNames(
          "inline-flex h-6 items-center gap-1.5 rounded-md border px-2 text-xs whitespace-nowrap",
          sandboxOnly ? "border-warning/40 bg-warning-soft text-warning" : "text-muted",
          className,
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        {word}
        <span className="sr-only">: {explanation}</span>
      </span>
    </Tooltip>
  );
}

function describe(kind: Environment["kind"], sandboxOnly: boolean) {
  if (sandboxOnly)
    return {
      icon: FlaskConical,
      word: "Sandbox",
      explanation: "Only the sandbox answers: it is not an AI, and always replies with the same text.",
    };
  if (kind === "remote")
    return { icon: Globe, word: "Remote gateway", explanation: "Calls go to a gateway elsewhere." };
  return {
    icon: Box,
    word: "Embedded gateway",
    explanation: "Calls go to the gateway started with this console.",
  };
}
