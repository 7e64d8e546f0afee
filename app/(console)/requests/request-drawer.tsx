"use client";

import { ArrowDown, ArrowUp, Maximize2 } from "lucide-react";
import { type KeyboardEvent, useCallback } from "react";
import { Dialog } from "@/components/ui/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { LinkButton } from "@/components/ui/link-button";
import { paths } from "@/lib/console/paths";
import { describeReceipt } from "./describe-receipt";
import { ReceiptState } from "./receipt-state";
import { ReceiptView } from "./receipt-view";
import { useReceipt } from "./use-receipt";

type RequestDrawerProps = {
  id: string;
  /** The calls of the list, in its order. */
  ids: readonly string[];
  /** Shows another call, or none: "". */
  show: (id: string) => void;
};

/** A call beside the list it was opened from; J and K, or the arrows, go through the list. */
export function RequestDrawer({ id, ids, show }: RequestDrawerProps) {
  const receipt = useReceipt(id);
  const at = ids.indexOf(id);
  const step = useCallback(
    (by: 1 | -1) => {
      const next = at < 0 ? undefined : ids[at + by];
      if (next) show(next);
    },
    [at, ids, show],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "j" || event.key === "ArrowDown") step(1);
    else if (event.key === "k" || event.key === "ArrowUp") step(-1);
    else return;
    event.preventDefault();
  };
  return (
    <div onKeyDown={onKeyDown} role="presentation">
      <Dialog
        open
        onClose={() => show("")}
        place="right"
        title={receipt.data ? describeReceipt(receipt.data).title : "Call"}
      >
        <div className="mb-3 flex items-center gap-1">
          <LinkButton size="small" href={paths.request(id)}>
            <Maximize2 aria-hidden />
            Open page
          </LinkButton>
          <IconButton
            label="Show the newer call"
            icon={<ArrowUp />}
            disabled={at <= 0}
            onClick={() => step(-1)}
          />
          <IconButton
            label="Show the older call"
            icon={<ArrowDown />}
            disabled={at < 0 || at === ids.length - 1}
            onClick={() => step(1)}
          />
        </div>
        {receipt.data ? <ReceiptView receipt={receipt.data} /> : <ReceiptState id={id} read={receipt} />}
      </Dialog>
    </div>
  );
}
