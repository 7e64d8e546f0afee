import { Lock } from "lucide-react";
import { Fragment } from "react";
import { RefusedAction } from "./refused-action";
import { StatePanel } from "./state-panel";

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
