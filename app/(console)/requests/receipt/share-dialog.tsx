"use client";

import { useState } from "react";
import { useAction } from "@/components/queries/actions/use-action";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog/dialog";
import { toast } from "@/components/ui/dialog/toast";
import { Skeleton } from "@/components/ui/states/skeleton";
import { CopyButton } from "@/components/ui/text/copy-button";
import { DateTime } from "@/components/ui/time/date-time";
import { paths } from "@/lib/console/paths";
import type { ReceiptLink } from "@/lib/contract/operations/calls/receipt-links";
import { revokeLink, shareReceipt } from "./actions";

const lifetimes = [
  { days: 1, label: "1 day" },
  { days: 7, label: "7 days" },
  { days: 30, label: "30 days" },
] as const;

type ShareDialogProps = { requestId: string; close: () => void };

/** Makes links that show this call's receipt to people without an account, and revokes them. */
export function ShareDialog({ requestId, close }: ShareDialogProps) {
  const [days, setDays] = useState<number>(7);
  const share = useAction(shareReceipt, { refetch: ["listReceiptLinks"] });
  const address = share.data && `${window.location.origin}${paths.sharedReceipt(share.data.token)}`;
  return (
    <Dialog
      open
      onClose={close}
      title="Share this receipt"
      description="Anyone with the link sees this call: what was checked, what it cost and how long it took. Prompt, answer and key aren’t shown. The audit log records who created the link."
      footer={<Button onClick={close}>Done</Button>}
    >
      <div className="grid gap-5">
        <div className="flex flex-wrap items-end gap-3">
          <fieldset className="grid gap-1.5">
            <legend className="mb-1.5 font-medium">Expires after</legend>
            <div className="flex flex-wrap gap-4">
              {lifetimes.map((lifetime) => (
                <label key={lifetime.days} className="flex min-h-6 items-center gap-2">
                  <input
                    type="radio"
                    name="lifetime"
                    className="size-4 accent-accent"
                    checked={days === lifetime.days}
                    onChange={() => setDays(lifetime.days)}
                  />
                  {lifetime.label}
                </label>
              ))}
            </div>
          </fieldset>
          <Button
            variant="primary"
            className="ml-auto"
            pending={share.isPending}
            onClick={() => share.mutate({ requestId, days })}
          >
            Create link
          </Button>
        </div>
        {share.error && (
          <p role="alert" className="text-sm text-danger">
            {share.error.problem.message}
          </p>
        )}
        {address && (
          <div className="grid gap-1.5">
            <div className="flex flex-wrap items-center gap-3 rounded-md border bg-background px-3 py-2.5">
              <code className="min-w-0 flex-1 basis-64 font-mono text-sm break-all">{address}</code>
              <CopyButton text={address} what="link" hasLabel />
            </div>
            <p className="text-sm text-muted">Shown only once. You can create another link at any time.</p>
          </div>
        )}
        <WorkingLinks requestId={requestId} />
      </div>
    </Dialog>
  );
}

function WorkingLinks({ requestId }: { requestId: string }) {
  const links = useRead("listReceiptLinks", { request_id: requestId, limit: "20" });
  return (
    <section aria-labelledby="working-links" className="grid gap-1.5">
      <h3 id="working-links" className="font-medium">
        Active links
      </h3>
      <ReadState
        read={links}
        to="list the links"
        skeleton={<Skeleton className="h-6 w-full" />}
        empty={<p className="text-sm text-muted">None.</p>}
      >
        {({ data }) => (
          <ul className="divide-y">
            {data.map((link) => (
              <WorkingLink key={link.id} link={link} />
            ))}
          </ul>
        )}
      </ReadState>
    </section>
  );
}

function WorkingLink({ link }: { link: ReceiptLink }) {
  const revoke = useAction(revokeLink, {
    refetch: ["listReceiptLinks"],
    onSuccess: () => toast({ message: "Link revoked. It no longer works." }),
    onError: ({ problem }) => toast({ message: problem.message, tone: "bad" }),
  });
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1.5 text-sm">
      <span className="min-w-0 wrap-anywhere">
        By {link.created_by.name}, until <DateTime at={link.expires_at} />
      </span>
      <Button
        size="small"
        pending={revoke.isPending}
        onClick={() => revoke.mutate({ requestId: link.request_id, linkId: link.id })}
      >
        Revoke
      </Button>
    </li>
  );
}
