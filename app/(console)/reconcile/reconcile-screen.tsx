"use client";

import { useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import { useState } from "react";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/links/text-link";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { Section } from "@/components/ui/section";
import { LoadingLabel, Skeleton } from "@/components/ui/states/skeleton";
import { Status } from "@/components/ui/status";
import type { Column } from "@/components/ui/table/column";
import { DataTable } from "@/components/ui/table/data-table";
import { capitalize } from "@/components/ui/text/capitalize";
import { RelativeTime } from "@/components/ui/time/shown-time";
import { countNouns, formatCount, groupDigits } from "@/components/ui/values/group-digits";
import { Money } from "@/components/ui/values/money";
import { Progress } from "@/components/ui/values/progress";
import { Quantity } from "@/components/ui/values/quantity";
import { formatRoundedDuration } from "@/components/ui/values/write-figures";
import { paths } from "@/lib/console/paths";
import { buildReadKey } from "@/lib/console/reads/reads";
import type { Reconciliation, ReconciliationCheck } from "@/lib/contract/operations/money/reconciliation";

const POLL_MS = 500;

/** Shows each check of the books, with what it covered and the differences it found. */
export function ReconcileScreen() {
  const [isWhole, setIsWhole] = useState(false);
  const queries = useQueryClient();
  const parameters = buildParameters({ isWhole });
  const read = useRead("retrieveReconciliation", parameters, { isCostly: isWhole });
  const isRunning = read.data?.state === "running";
  useRead("retrieveReconciliation", parameters, {
    enabled: isRunning,
    refetchInterval: POLL_MS,
    isCostly: isWhole,
  });
  const prove = (next: { isWhole: boolean }) => {
    setIsWhole(next.isWhole);
    // The result of an earlier press is not the answer to this one. A first one is read because it is shown.
    void queries.refetchQueries({
      queryKey: buildReadKey("retrieveReconciliation", buildParameters(next)),
      exact: true,
    });
  };
  const isBusy = isRunning || read.isFetching;
  return (
    <>
      <PageHead
        title="Reconcile"
        sentence="Checks that the entries add up to the balance, that each charge is its usage at its price, and that no hold is left over."
        action={
          <>
            <Button onClick={() => prove({ isWhole: true })} disabled={isBusy}>
              Check from the first entry
            </Button>
            <Button variant="primary" onClick={() => prove({ isWhole: false })} disabled={isBusy}>
              <RotateCw aria-hidden />
              Check again
            </Button>
          </>
        }
      />
      <ReadState
        read={read}
        to="check the books"
        skeleton={
          <div className="grid gap-8">
            <LoadingLabel />
            <Skeleton className="h-24 w-full rounded-md" />
            <Skeleton className="h-96 w-full rounded-md" />
          </div>
        }
      >
        {(proof) => (proof.state === "running" ? <Running proof={proof} /> : <Proof proof={proof} />)}
      </ReadState>
    </>
  );
}

function buildParameters({ isWhole }: { isWhole: boolean }) {
  return isWhole ? { full: "true" } : {};
}

function Running({ proof }: { proof: Reconciliation }) {
  return (
    <Card className="grid gap-3">
      {proof.entries === 0 ? (
        <p>Counting entries…</p>
      ) : (
        <Progress
          label="Checking entries"
          done={proof.verified_entries}
          total={proof.entries}
          unit={proof.entries === 1 ? "entry" : "entries"}
        />
      )}
      <p className="text-sm text-muted">
        This check reads all entries. Later ones start where the last one ended and take a moment. Calls
        continue meanwhile, and the check continues if you leave this page.
      </p>
    </Card>
  );
}

function Proof({ proof }: { proof: Reconciliation }) {
  const { checks, currency } = proof;
  const wrong = checks.filter(({ faults }) => faults.length > 0);
  return (
    <div className="grid gap-8">
      <Notice
        tone={wrong.length === 0 ? "good" : "bad"}
        role="status"
        title={
          wrong.length === 0
            ? `The books are right: ${checks.length} of ${checks.length} checks passed`
            : `${wrong.length} of ${checks.length} checks failed: ${wrong.map(({ title }) => title).join("; ")}`
        }
      >
        {describeExtent(proof)} <RelativeTime at={proof.started_at} withExact />
        {wrong.length > 0 && <WhatToDo />}
      </Notice>
      <Section title="Checks" description="They read the stored entries, and don’t change anything.">
        <DataTable caption="Checks of the books" columns={checkColumns} rows={checks} rowId={buildRowId} />
      </Section>
      <Section
        title="Reported usage and charges"
        description="Charges by how their usage is known. A cost above the hold of its call is recorded as provider variance; no project is charged for it."
      >
        <DataTable
          caption="Charges by how their usage is known"
          columns={chargedColumns(currency)}
          rows={chargedRows(proof)}
          rowId={({ id }) => id}
        />
      </Section>
    </div>
  );
}

function WhatToDo() {
  return (
    <ol className="mt-2 ml-4 grid list-decimal gap-1">
      <li>Keep the newest backup, and leave the ledger as it is: a correction would hide what happened.</li>
      <li>Open what each failed check names below, and compare it with its receipt or bank statement.</li>
      <li>
        Ask whoever runs the gateway to run <code className="font-mono">npm run doctor</code>: it names the
        rows that differ, and the change that wrote them.
      </li>
      <li>
        Then press “Check from the first entry”. Calls go on meanwhile, and cost what their receipts say.
      </li>
    </ol>
  );
}

const buildRowId = ({ id, title }: Reconciliation["checks"][number]) => `${id} ${title}`;

function describeExtent({ entries, verified_before: before, took_ms: took }: Reconciliation): string {
  const noun = entries === 1 ? "entry" : "entries";
  const since = before === 0 ? "" : `, ${formatCount(entries - before)} of them new since the last check,`;
  return `Checked ${formatCount(entries)} ${noun}${since} in ${formatRoundedDuration(took ?? 0)},`;
}

/** Groups whole numbers, and the whole part of amounts, in a sentence of the gateway. */
const groupCounts = (text: string) => text.replace(/(?<![\w.])\d{4,}(?!\w)/g, groupDigits);

const checkColumns: readonly Column<ReconciliationCheck>[] = [
  {
    id: "check",
    header: "Check",
    cell: ({ id, title, faults }) => (
      <div className="py-1">
        <div className="min-w-0">
          {capitalize(title)} <span className="font-mono text-xs text-muted">{id}</span>
          {faults.length > 0 && (
            <ul className="mt-1 grid gap-1 text-sm">
              {faults.map((fault) => (
                <li key={fault} className="wrap-anywhere whitespace-normal">
                  <LinkedIds text={fault} />
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    ),
  },
  { id: "looked", header: "Checked", width: "w-80", cell: ({ looked }) => groupCounts(looked) },
  {
    id: "state",
    header: "Result",
    width: "w-28",
    phone: "end",
    cell: ({ faults }) =>
      faults.length === 0 ? (
        <Status tone="good">Passed</Status>
      ) : (
        <Status tone="bad">{countNouns(faults.length, "fault")}</Status>
      ),
  },
];

const ID = /\b((?:req|txn|proj|task)_[0-9a-z_]+|(?<=\b(?:statement|lines) of )\d{4}-\d{2})\b/;

const pathsByPrefix: Readonly<Record<string, (id: string) => string>> = {
  req: paths.request,
  txn: paths.ledgerEntry,
  proj: paths.project,
  task: paths.task,
};

/** Text in which the ids of calls, entries, projects and tasks and the months of statements are links. */
export function LinkedIds({ text }: { text: string }) {
  return text.split(ID).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // Keyed by position, which is a part's only identity.
      <TextLink key={index} href={(pathsByPrefix[part.split("_")[0] ?? ""] ?? paths.statement)(part)}>
        <code className="font-mono">{part}</code>
      </TextLink>
    ),
  );
}

interface ChargedRow {
  readonly id: string;
  readonly label: string;
  readonly what: string;
  /** Null for entries that aren't charges of calls. */
  readonly calls: number | null;
  readonly amount: string;
}

const bases: Record<Reconciliation["charged"][number]["basis"], { label: string; what: string }> = {
  reported: { label: "Reported", what: "The provider reported the usage" },
  estimated: {
    label: "Estimated",
    what: "The provider reported no usage; the gateway counted the received output",
  },
  interrupted: {
    label: "Interrupted",
    what: "The gateway stopped during the call; the usage it had counted by then was charged",
  },
};

function chargedRows({ charged, provider_variance: variance }: Reconciliation): ChargedRow[] {
  const rows = charged.map(({ basis, calls, amount }) => ({ id: basis, ...bases[basis], calls, amount }));
  const beyond = {
    label: "Provider variance",
    what: "Reported cost above the holds; no project is charged for it",
  };
  return variance === null ? rows : [...rows, { id: "variance", ...beyond, calls: null, amount: variance }];
}

function chargedColumns(currency: string): readonly Column<ChargedRow>[] {
  return [
    {
      id: "basis",
      header: "Usage",
      width: "w-48",
      cell: ({ label }) => <span className="font-medium">{label}</span>,
    },
    { id: "what", header: "What it is", phone: "hidden", cell: ({ what }) => what },
    {
      id: "calls",
      header: "Calls",
      width: "w-32",
      numeric: true,
      cell: ({ calls }) => calls !== null && <Quantity value={calls} />,
    },
    {
      id: "amount",
      header: "Amount",
      width: "w-48",
      unit: currency,
      numeric: true,
      phone: "end",
      amount: ({ amount }) => amount,
      cell: ({ amount }) => <Money amount={amount} />,
    },
  ];
}
