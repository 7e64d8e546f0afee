import type { LucideIcon } from "lucide-react";
import { LinkButton } from "@/components/ui/links/link-button";
import { Page } from "../page";
import { EmptyState } from "./empty-state";

type UnknownObjectProps = {
  /** "role". */
  noun: string;
  id: string;
  icon: LucideIcon;
  /** The address of the list of all such objects. */
  list: string;
};

/** Shown for an object that doesn't exist. */
export function UnknownObject({ noun, id, icon, list }: UnknownObjectProps) {
  return (
    <Page>
      <EmptyState
        level={1}
        icon={icon}
        title={`There is no such ${noun}`}
        action={
          <LinkButton variant="primary" href={list}>
            View all {noun}s
          </LinkButton>
        }
      >
        No {noun} has the id <code className="font-mono text-sm break-all">{id}</code>. It may have been
        deleted, or this link is incomplete.
      </EmptyState>
    </Page>
  );
}
