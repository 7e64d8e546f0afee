import type { ReactNode } from "react";
import { paths } from "@/lib/console/paths";
import { TextLink } from "./text-link";

type GuideLinkProps = { page: string; anchor?: string; children: ReactNode };

/** Leads from a screen to the page of the guide that explains it. */
export function GuideLink({ page, anchor, children }: GuideLinkProps) {
  return (
    <TextLink href={paths.guide(page, anchor)} className="whitespace-nowrap underline">
      {children}
    </TextLink>
  );
}
