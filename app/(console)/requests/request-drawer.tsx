"use client";

import { ListDrawer } from "@/components/table/list-drawer";
import { paths } from "@/lib/console/paths";
import { describeReceipt } from "./describe-receipt";
import { ReceiptState } from "./receipt-state";
import { useReceipt } from "./use-receipt";

type RequestDrawerProps = {
  id: string;
  /** The calls of the list, in its order. */
  ids: readonly string[];
  /** Shows another call, or none: "". */
  show: (id: string) => void;
};

/** A call beside the list it was opened from. */
export function RequestDrawer({ id, ids, show }: RequestDrawerProps) {
  const receipt = useReceipt(id);
  return (
    <ListDrawer
      id={id}
      ids={ids}
      show={show}
      noun="call"
      href={paths.request(id)}
      title={receipt.data ? describeReceipt(receipt.data).title : "Call"}
    >
      <ReceiptState id={id} read={receipt} />
    </ListDrawer>
  );
}
