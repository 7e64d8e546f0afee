"use client";

import { PageCrumb } from "@/components/shell/page-crumb";
import { PageHead } from "@/components/ui/page-head";
import { describeReceipt } from "./describe-receipt";
import { ReceiptState } from "./receipt-state";
import { useReceipt } from "./use-receipt";

/** A call's receipt at its own address. */
export function ReceiptScreen({ id }: { id: string }) {
  const receipt = useReceipt(id);
  return (
    <>
      <PageCrumb label={id} />
      <PageHead title={receipt.data ? describeReceipt(receipt.data).title : "Call"} />
      <ReceiptState id={id} read={receipt} />
    </>
  );
}
