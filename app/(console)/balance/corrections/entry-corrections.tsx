"use client";

import { Undo2 } from "lucide-react";
import { entryKinds } from "@/components/money/ledger-entry-columns";
import { useRead } from "@/components/queries/reads/use-read";
import { Button } from "@/components/ui/button";
import { loadOnClient } from "@/components/ui/dialog/load-on-client";
import { Fact, Part } from "@/components/ui/facts";
import { useFormDialog } from "@/components/ui/form/use-form-dialog";

import { TextLink } from "@/components/ui/links/text-link";
import { IdChip } from "@/components/ui/text/id-chip";
import { DateTime } from "@/components/ui/time/date-time";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { formatAmount, isZeroDecimal, parseAmount, parseCheckedAmount, toNano } from "@/lib/money/amount";

const CorrectionDialog = loadOnClient(() =>
  import("./correction-dialog").then((file) => file.CorrectionDialog),
);

/** The corrections of a payment or a charge, its uncorrected amount, and the button that corrects it. */
export function EntryCorrections({ entry, canCorrect }: { entry: LedgerEntry; canCorrect: boolean }) {
  const remainder = computeRemainder(entry);
  const dialog = useFormDialog(`correct-${entry.id}`, canCorrect && remainder !== null);
  if (remainder === null) return null;
  const isCorrected = !isZeroDecimal(entry.corrected ?? "0");
  const isLeft = !isZeroDecimal(remainder);
  if (!isCorrected && !(canCorrect && isLeft)) return null;
  return (
    <Part title="Corrections" isPrinted={isCorrected}>
      {isCorrected && <CorrectionList entry={entry} remainder={remainder} />}
      {canCorrect && isLeft && (
        <div>
          <Button onClick={dialog.open}>
            <Undo2 aria-hidden />
            Correct this entry
          </Button>
        </div>
      )}
      {dialog.isOpen && <CorrectionDialog entry={entry} close={dialog.close} />}
    </Part>
  );
}

function CorrectionList({ entry, remainder }: { entry: LedgerEntry; remainder: string }) {
  const corrections = useRead("listLedger", { corrects: entry.id, limit: "100" }).data;
  return (
    <table className="w-full border-y [&_td]:py-1.5 [&_td]:align-baseline [&_td:last-child]:text-right [&_th]:py-1.5 [&_th]:text-left [&_th]:align-baseline [&_th]:font-normal">
      <caption className="sr-only">Corrections of this entry, newest first, in {entry.currency}</caption>
      <tbody>
        {corrections?.data.map(({ id, created_at, reason, balance_change }) => (
          <tr key={id}>
            <th scope="row" className="pr-4 wrap-anywhere">
              <TextLink href={paths.ledgerEntry(id)}>{reason}</TextLink>
            </th>
            <td className="pr-4">
              <DateTime at={created_at} />
            </td>
            <td>
              <Money amount={balance_change} isSigned />
            </td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr className="border-t">
          <th scope="row" colSpan={2} className="text-muted">
            Left of the entry
          </th>
          <td>
            <Money amount={remainder} currency={entry.currency} />
          </td>
        </tr>
      </tfoot>
    </table>
  );
}

/** Names the entry that a correction corrects, with a link to it. */
export function CorrectedEntry({ id }: { id: string }) {
  const entry = useRead("retrieveLedgerEntry", { entry_id: id }).data;
  return (
    <Fact name="Corrects">
      {entry ? (
        <>
          <TextLink href={paths.ledgerEntry(id)}>
            {entryKinds[entry.kind]} of <Money amount={entry.amount} currency={entry.currency} />
          </TextLink>
          <span className="block text-sm text-muted">
            {entry.reference && `“${entry.reference}”, `}
            <DateTime at={entry.created_at} />
          </span>
        </>
      ) : (
        <IdChip id={id} what="entry id" />
      )}
    </Fact>
  );
}

/**
 * Returns the uncorrected amount of a payment or a charge as a decimal string; null for entries that can't be
 * corrected.
 */
export function computeRemainder({ kind, amount, corrected }: LedgerEntry): string | null {
  if ((kind !== "payment" && kind !== "charge") || corrected === null || corrected === undefined) return null;
  return formatAmount(toNano(parseCheckedAmount(amount) - parseCheckedAmount(corrected)));
}

interface CorrectionEffect {
  /** The uncorrected amount of the entry afterwards. */
  readonly left: string;
  /** The change of the balance: negative for a payment. */
  readonly change: string;
  /** The available balance afterwards. */
  readonly after: string | null;
}

/** Returns null if the typed text isn't an amount, or exceeds the entry's uncorrected amount. */
export function computeCorrectionEffect(
  entry: LedgerEntry,
  typed: string,
  available: string | undefined,
): CorrectionEffect | null {
  const amount = parseAmount(typed);
  const remainder = computeRemainder(entry);
  if (amount === null || remainder === null || amount <= 0n || amount > parseCheckedAmount(remainder))
    return null;
  const change = entry.kind === "payment" ? -amount : amount;
  return {
    left: formatAmount(toNano(parseCheckedAmount(remainder) - amount)),
    change: formatAmount(toNano(change)),
    after: available === undefined ? null : formatAmount(toNano(parseCheckedAmount(available) + change)),
  };
}
