import { Status } from "@/components/ui/status";

type DeliveryStatusProps = { status: "pending" | "delivered" | "exhausted"; tries: number };

/** A callback's state as a badge. */
export function DeliveryStatus({ status, tries }: DeliveryStatusProps) {
  if (status === "delivered") return <Status tone="good">Delivered</Status>;
  if (status === "exhausted") return <Status tone="bad">Given up</Status>;
  return <Status tone="near">{tries === 0 ? "Not sent yet" : "Will be tried again"}</Status>;
}
