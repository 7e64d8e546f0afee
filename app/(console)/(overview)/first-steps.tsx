"use client";

import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { LinkButton } from "@/components/ui/links/link-button";
import { Section } from "@/components/ui/section";
import { paths } from "@/lib/console/paths";
import { STEPS_COOKIE, stepReads } from "./overview-reads";

/** The steps that the person is allowed to take. */
export type OwnSteps = Readonly<Record<"key" | "limit" | "call", boolean>>;

type Step = {
  name: string;
  /** Steps of others are left out: their pages would only refuse. */
  isOwn: boolean;
  why: string;
  href: string;
  /** Undefined if unknown. The step is then left out. */
  isDone: boolean | undefined;
};

const YEAR_S = 31_536_000;

/** The steps to an organization's first answer, and which are done. Gone once there was one, or if dismissed. */
export function FirstSteps({ projectId, own }: { projectId: string; own: OwnSteps }) {
  const [isDismissed, setIsDismissed] = useState(false);
  const { keys, limits, charges } = stepReads(projectId);
  const key = useRead(...keys).data;
  const limit = useRead(...limits).data;
  const charge = useRead(...charges).data;
  const steps: Step[] = [
    {
      name: "Create a key",
      isOwn: own.key,
      why: "A program sends it with every call.",
      href: paths.keys(projectId),
      isDone: key && key.data.length > 0,
    },
    {
      name: "Set a limit",
      isOwn: own.limit,
      why: "Each model starts with its own defaults.",
      href: paths.rateLimits(projectId),
      isDone: limit && limit.data.length > 0,
    },
    {
      name: "Make the first call",
      isOwn: own.call,
      why: "From a program, or in the playground.",
      href: paths.playground(projectId),
      isDone: charge && charge.data.length > 0,
    },
  ];
  const known = steps.filter(({ isOwn, isDone }) => isOwn && isDone !== undefined);
  const next = known.find(({ isDone }) => !isDone);
  if (!next || isDismissed || (charge && charge.data.length > 0)) return null;
  const dismiss = () => {
    document.cookie = `${STEPS_COOKIE}=dismissed; path=/; max-age=${YEAR_S}; samesite=lax`;
    setIsDismissed(true);
  };
  return (
    <Section
      title="First steps"
      actions={
        <Button size="small" variant="ghost" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      <Card flush>
        <ol className="grid sm:grid-flow-col sm:auto-cols-fr sm:divide-x max-sm:divide-y">
          {known.map((step) => (
            <StepItem key={step.name} step={step}>
              {step === next && (
                <LinkButton variant="primary" href={step.href}>
                  {step.name}
                </LinkButton>
              )}
            </StepItem>
          ))}
        </ol>
      </Card>
    </Section>
  );
}

function StepItem({ step: { name, why, isDone }, children }: { step: Step; children: ReactNode }) {
  const Icon = isDone ? CircleCheck : CircleDashed;
  return (
    <li className="flex gap-3 p-4">
      <Icon aria-hidden className={isDone ? "size-5 shrink-0 text-success" : "size-5 shrink-0 text-muted"} />
      <div className="grid content-start justify-items-start gap-1">
        <p className="font-medium">
          {name}
          <span className="sr-only">{isDone ? ": done" : ": to do"}</span>
        </p>
        <p className="text-sm text-muted">{isDone ? "Done." : why}</p>
        {children && <div className="mt-2">{children}</div>}
      </div>
    </li>
  );
}
