import { Unplug } from "lucide-react";
import type { ReactNode } from "react";
import { StatePanel } from "./state-panel";

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
