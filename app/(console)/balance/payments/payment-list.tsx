"use client";

import { Banknote } from "lucide-react";
import { ExportMenu } from "@/components/queries/exports/export-menu";
import { useReadRows } from "@/components/queries/reads/use-read";
import { isWithoutAny, ReadState } from "@/components/queries/states/read-state";
import { FilterInput } from "@/components/ui/filters/filter-input";
import { useAddressFilter } from "@/components/ui/filters/use-address-filter";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import type { Column } from "@/components/ui/table/column";
import { PagedTable } from "@/components/ui/table/paged-table";
import { Toolbar } from "@/components/ui/table/toolbar";
import { DateTime } from "@/components/ui/time/date-time";
import { writeDate } from "@/components/ui/time/write-date";
import { Money } from "@/components/ui/values/money";
import { paths } from "@/lib/console/paths";
import { buildExportUrl } from "@/lib/console/reads/reads";
import type { LedgerEntry } from "@/lib/contract/operations/money/balance";
import { isZeroDecimal, negateDecimal } from "@/lib/money/amount";
import { paymentListParameters } from "./payment-reads";

const searched = ["q"] as const;

/** Every recorded payment, newest first, found by its reference, its note or its id. */
export function PaymentList() {
  const { parameters, findInAddress } = useAddressFilter(searched, paymentListParameters);
  const payments = useReadRows("listLedger", parameters);
  const typed = findInAddress("q").trim();
  const isNone = isWithoutAny(payments, typed !== "");
  return (
    <Section
      title="Payments"
      description="Recorded payments, newest first. A payment can’t be changed, only reversed by a correction."
    >
      {!isNone && (
        <Toolbar
          actions={
            <ExportMenu row="payment" buildHref={(form) => buildExportUrl("listLedger", parameters, form)} />
          }
        >
          <FilterInput label="Search payments" />
        </Toolbar>
      )}
      <ReadState
        read={payments}
        to="list the payments"
        skeleton={<TableSkeleton rows={6} columns={4} />}
        empty={<NoPayment typed={typed} />}
      >
        {(rows) => (
          <PagedTable
            read={payments}
            noun="payment"
            caption="Payments, newest first"
            columns={paymentColumns(rows[0]?.currency)}
            rows={rows}
            rowId={({ id }) => id}
            rowHref={({ id }) => paths.ledgerEntry(id)}
          />
        )}
      </ReadState>
    </Section>
  );
}

function NoPayment({ typed }: { typed: string }) {
  if (typed !== "") {
    return (
      <EmptyState icon={Banknote} title="No payment fits this search">
        Nothing with “{typed}” in its reference, its note or its id.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Banknote}
      title="No payments yet"
      example="For example 1,200.00 with “Invoice 2026-11”."
    >
      Record a payment once it has arrived: it can be spent from then on.
    </EmptyState>
  );
}

function paymentColumns(currency: string | undefined): readonly Column<LedgerEntry>[] {
  return [
    {
      id: "reference",
      header: "Reference",
      cell: ({ reference }) => (
        <span className="wrap-anywhere">{reference ?? <span className="text-muted">No reference</span>}</span>
      ),
    },
    {
      id: "note",
      header: "Note",
      wide: true,
      cell: ({ note }) => note && <span className="wrap-anywhere text-muted">{note}</span>,
    },
    {
      id: "paid-on",
      header: "Paid on",
      apiName: "paid_on",
      width: "w-40",
      wide: true,
      cell: ({ paid_on }) => paid_on && <span className="text-muted">{writeDate(paid_on)}</span>,
    },
    {
      id: "time",
      header: "Recorded",
      width: "w-44",
      cell: ({ created_at }) => <DateTime at={created_at} />,
    },
    {
      id: "corrected",
      header: "Reversed",
      width: "w-36",
      unit: currency,
      numeric: true,
      wide: true,
      amount: ({ corrected }) => (corrected && !isZeroDecimal(corrected) ? negateDecimal(corrected) : null),
      cell: ({ corrected }) =>
        corrected && !isZeroDecimal(corrected) && <Money amount={negateDecimal(corrected)} />,
    },
    {
      id: "amount",
      header: "Amount",
      width: "w-36",
      unit: currency,
      numeric: true,
      phone: "end",
      amount: ({ amount }) => amount,
      cell: ({ amount }) => (
        <span className="font-medium">
          <Money amount={amount} />
        </span>
      ),
    },
  ];
}
