import { Lock } from "lucide-react";
import { Fragment } from "react";
import { StatePanel } from "./state-panel";

type RefusedStateProps = {
  /** 1 where no page head stands above. */
  level?: 1 | 2;
  /** What the person wanted: "see the rate limits". */
  to: string;
  /** The permissions in the API's words, of which one is enough; none where the gateway names none. */
  permissions: readonly string[];
  /** The roles or people who can give it. */
  givenBy?: string;
};

export function RefusedState({
  level,
  to,
  permissions,
  givenBy = "someone with the Owner or Admin role",
}: RefusedStateProps) {
  return (
    <StatePanel {...(level && { level })} icon={Lock} title={`You don't have the permission to ${to}`}>
      {permissions.length > 0 && (
        <>
          It takes{" "}
          {permissions.map((permission, index) => (
            <Fragment key={permission}>
              {index > 0 && " or "}
              <code className="font-mono text-sm text-foreground">{permission}</code>
            </Fragment>
          ))}
          .{" "}
        </>
      )}
      Ask {givenBy} to add it to one of your roles, then reload this page.
    </StatePanel>
  );
}
