"use client";

import { DetailState, Id } from "@/components/object-page/detail-state";
import type { ShownRead } from "@/components/queries/states/read-state";
import { paths } from "@/lib/console/paths";
import type { RequestReceipt } from "@/lib/contract/operations/calls/requests";
import { ReceiptView } from "./receipt-view";

const allCalls = { href: paths.requests(), label: "View all calls" };
/** Who may only read their own calls has no list of them. */
const ownCalls = { href: paths.usage(), label: "View your usage" };

type ReceiptStateProps = {
  id: string;
  read: ShownRead<RequestReceipt>;
  /** Whether the person may read their own calls only. */
  isOwnOnly?: boolean;
};

/** Shows a call's receipt, or the loading or error state of its read. */
export function ReceiptState({ id, read, isOwnOnly = false }: ReceiptStateProps) {
  return (
    <DetailState
      id={id}
      read={read}
      noun="call"
      list={isOwnOnly ? ownCalls : allCalls}
      missing={
        <>
          No call has the id <Id>{id}</Id>, or it belongs to a project that you don’t have access to. Only the
          first ten refusals per key and minute are stored; the others are only counted.
        </>
      }
    >
      {(receipt) => <ReceiptView receipt={receipt} isOwnOnly={isOwnOnly} />}
    </DetailState>
  );
}
