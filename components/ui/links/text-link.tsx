import type { ComponentProps, ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { paths } from "@/lib/console/paths";
import { ConsoleLink } from "./console-link";

export function TextLink({ className, ...rest }: ComponentProps<typeof ConsoleLink>) {
  return (
    <ConsoleLink
      {...rest}
      className={classNames("rounded-sm text-accent-text underline-offset-2 hover:underline", className)}
    />
  );
}

type GuideLinkProps = { page: string; anchor?: string; children: ReactNode };

/** Leads from a screen to the page of the guide that explains it. */
export function GuideLink({ page, anchor, children }: GuideLinkProps) {
  return (
    <TextLink href={paths.guide(page, anchor)} className="whitespace-nowrap underline">
      {children}
    </TextLink>
  );
}
