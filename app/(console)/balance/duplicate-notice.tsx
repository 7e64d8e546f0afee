import type { DuplicatePayment } from "@/app/(console)/balance/use-duplicate-question";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { RelativeTime } from "@/components/ui/time/relative-time";
import { paths } from "@/lib/console/paths";

/** Names the recorded payment that the typed one equals. */
export function DuplicateNotice({ duplicate: { object, id, created_at } }: { duplicate: DuplicatePayment }) {
  const href = object === "ledger_entry" ? paths.ledgerEntry(id) : paths.payments();
  return (
    <Notice tone="near" role="alert" title="This payment seems to be recorded already">
      A payment with this amount and reference, or with this note if it has no reference, was recorded{" "}
      <RelativeTime at={created_at} withExact />.{" "}
      <TextLink href={href} target="_blank">
        View it
      </TextLink>
      . Record this one only if it arrived as well.
    </Notice>
  );
}
