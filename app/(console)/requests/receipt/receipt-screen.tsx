"use client";

import { describeReceipt } from "@/components/requests/describe-receipt";
import { ReceiptChip } from "@/components/requests/receipt-chip";
import { PageCrumb } from "@/components/shell/top-bar/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { ReceiptActions, ReceiptSentence, ReceiptState } from "./receipt-summary";
import { useReceipt } from "./use-receipt";

/** The page of a call's receipt. */
export function ReceiptScreen({ id, isOwnOnly }: { id: string; isOwnOnly: boolean }) {
  const receipt = useReceipt(id, { isOwnOnly });
  return (
    <>
      <PageCrumb label={id} />
      <PageHead
        title={receipt.data ? describeReceipt(receipt.data).title : "Call"}
        sentence={receipt.data && <ReceiptSentence receipt={receipt.data} />}
        action={receipt.data && <ReceiptActions receipt={receipt.data} />}
        beside={receipt.data && <ReceiptChip request={receipt.data.request} />}
      />
      <ReceiptState id={id} read={receipt} isOwnOnly={isOwnOnly} />
    </>
  );
}
