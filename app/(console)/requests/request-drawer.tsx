"use client";

import { ListDrawer } from "@/components/table/list-drawer";
import { paths } from "@/lib/console/paths";
import { describeReceipt } from "./receipt/describe-receipt";
import { ReceiptChip } from "./receipt/receipt-chip";
import { ReceiptState } from "./receipt/receipt-state";
import { useReceipt } from "./receipt/use-receipt";

type RequestDrawerProps = {
  id: string;
  /** The ids of the list's calls, in their order. */
  ids: readonly string[];
  /** Shows another call. "" closes the drawer. */
  show: (id: string) => void;
};

/** Shows a call next to its list. */
export function RequestDrawer({ id, ids, show }: RequestDrawerProps) {
  // Only people who can read calls see their list.
  const receipt = useReceipt(id, false);
  return (
    <ListDrawer
      id={id}
      ids={ids}
      show={show}
      noun="call"
      href={paths.request(id)}
      title={receipt.data ? describeReceipt(receipt.data).title : "Call"}
    >
      {receipt.data && (
        <p className="mb-3">
          <ReceiptChip request={receipt.data.request} />
        </p>
      )}
      <ReceiptState id={id} read={receipt} />
    </ListDrawer>
  );
}
