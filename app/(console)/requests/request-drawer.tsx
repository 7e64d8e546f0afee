"use client";

import { describeReceipt } from "@/components/requests/describe-receipt";
import { ReceiptChip } from "@/components/requests/outcome-chip";
import { ListDrawer } from "@/components/ui/drawer/list-drawer";
import { paths } from "@/lib/console/paths";
import { ReceiptActions, ReceiptSentence, ReceiptState, useReceipt } from "./receipt/receipt-summary";

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
  const receipt = useReceipt(id, { isOwnOnly: false });
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
        <div className="mb-6 grid gap-3">
          <p>
            <ReceiptChip request={receipt.data.request} />
          </p>
          <p className="text-muted">
            <ReceiptSentence receipt={receipt.data} />
          </p>
          <div className="flex flex-wrap gap-2 empty:hidden">
            <ReceiptActions receipt={receipt.data} />
          </div>
        </div>
      )}
      <ReceiptState id={id} read={receipt} />
    </ListDrawer>
  );
}
