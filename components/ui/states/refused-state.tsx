import type { LucideIcon } from "lucide-react";
import { Lock, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { Fragment } from "react";
import { LinkButton } from "@/components/ui/links/text-link";
import { Page } from "@/components/ui/page";
import { RefusedAction } from "./refused-action";
import { EmptyState, StatePanel } from "./state-panel";

type RefusedStateProps = {
  /** 1 if the page has no head above. */
  level?: 1 | 2;
  /** What the person tried to do: "see the rate limits". */
  to: string;
  /** The API's names of the permissions, one of which is enough. Empty if the gateway names none. */
  permissions: readonly string[];
  /** The roles or people who can grant it. */
  givenBy?: string;
};

export function RefusedState({
  level,
  to,
  permissions,
  givenBy = "someone with the Owner or Admin role",
}: RefusedStateProps) {
  return (
    <StatePanel
      {...(level && { level })}
      icon={Lock}
      title={`You don’t have permission to ${to}`}
      actions={permissions[0] !== undefined && <RefusedAction permission={permissions[0]} />}
    >
      {permissions.length > 0 && (
        <>
          You need the permission{" "}
          {permissions.map((permission, index) => (
            <Fragment key={permission}>
              {index > 0 && " or "}
              <code className="font-mono text-sm text-foreground">{permission}</code>
            </Fragment>
          ))}
          .{" "}
        </>
      )}
      Ask {givenBy} for a role with it, then reload this page.
    </StatePanel>
  );
}

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

type UnsupportedStateProps = {
  /** 1 if the page has no head above. */
  level?: 1 | 2;
  /** The operation the gateway doesn't support: "list rate limits". */
  operation: string;
  /** The method and path that were tried. */
  endpoint?: string;
  /** An alternative for the person. */
  children?: ReactNode;
  action?: ReactNode;
};

export function UnsupportedState({ level, operation, endpoint, children, action }: UnsupportedStateProps) {
  const attempt = endpoint && (
    <>
      Tried <code className="font-mono">{endpoint}</code>
    </>
  );
  return (
    <StatePanel
      {...(level && { level })}
      icon={Unplug}
      title={`This gateway doesn’t ${operation}`}
      actions={action}
      footer={attempt}
    >
      {children ?? "The console is connected to a gateway that has no such operation. Everything else works."}
    </StatePanel>
  );
}
