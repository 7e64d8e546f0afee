import { Lock } from "lucide-react";
import { StatePanel } from "./state-panel";

type RefusedStateProps = {
  /** 1 where no page head stands above. */
  level?: 1 | 2;
  /** What the person wanted: "see the rate limits". */
  to: string;
  /** The permission that is missing, in the API's word. */
  permission: string;
  /** The roles or people who can give it. */
  givenBy?: string;
};

export function RefusedState({
  level,
  to,
  permission,
  givenBy = "someone with the Owner or Admin role",
}: RefusedStateProps) {
  return (
    <StatePanel {...(level && { level })} icon={Lock} title={`You don't have the permission to ${to}`}>
      It takes <code className="font-mono text-sm text-foreground">{permission}</code>. Ask {givenBy} to add
      it to one of your roles; then reload this page.
    </StatePanel>
  );
}
