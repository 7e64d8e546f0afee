"use client";

import { useMemo, useState } from "react";
import { isMonth } from "@/app/(console)/statements/statement-reads";
import { useRead } from "@/components/queries/reads/use-read";
import { type CsvColumn, CsvColumns, CsvField } from "@/components/ui/csv/csv-field";
import { CUT_OFF } from "@/components/ui/csv/doubt-amount";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page";
import { monthName } from "@/components/ui/time/month-name";
import { parseCsv } from "@/lib/contract/csv";
import type { Statement } from "@/lib/contract/operations/money/statements";
import { StatementRead } from "../statement-read";
import { ComparedInvoice } from "./compared-invoice";
import { guessColumns, type InvoiceColumn, type InvoiceMap } from "./parse-invoice";

const columns: readonly CsvColumn<InvoiceColumn>[] = [
  { name: "model", label: "Model", none: "Choose a column" },
  { name: "amount", label: "Amount", none: "Choose a column" },
  { name: "date", label: "Date", none: "No date: all of this month" },
];
const MAX_BYTES = 5 * 1024 * 1024;

/** Compares a provider's invoice with a month's charges. Stores nothing. */
export function InvoiceScreen({ month }: { month: string }) {
  const read = useRead("retrieveStatement", { month });
  const name = isMonth(month) ? monthName(month) : month;
  return (
    <>
      <PageHead
        title={`Compare an invoice with ${name}`}
        sentence="Compares what a provider invoiced for each model with what was charged for its calls. The file stays in this browser."
      />
      <StatementRead read={read} month={name}>
        {(statement) => <Comparison statement={statement} />}
      </StatementRead>
    </>
  );
}

function Comparison({ statement }: { statement: Statement }) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState<Partial<InvoiceMap>>({});
  const { rows: table, brokenLine, cutLine, separator } = useMemo(() => parseCsv(text), [text]);
  const head = table[0]?.cells.map((cell) => cell.trim()) ?? [];
  const map = { ...guessColumns(head), ...chosen };
  return (
    <div className="grid gap-8">
      <CsvField
        label="Invoice as CSV"
        help="Its first line names the columns, such as date, model and amount."
        placeholder={"date,model,amount\n2026-10-31,gpt-5-mini,12.50"}
        maxBytes={MAX_BYTES}
        tooLarge="Export one month of it"
        text={text}
        onChange={(next) => {
          setText(next);
          setChosen({});
        }}
      />
      {brokenLine !== null && (
        <Notice tone="bad" title="The file can’t be read">
          A quotation mark on line {brokenLine} isn’t closed, or is followed by text. Export the file again as
          CSV.
        </Notice>
      )}
      {cutLine !== null && (
        <Notice tone="bad" title="The file is incomplete">
          Line {cutLine}: {CUT_OFF}
        </Notice>
      )}
      {brokenLine === null && table.length === 1 && (
        <Notice tone="near" title="The file has a header but no rows">
          The first line must name the columns. Each line below it is an amount.
        </Notice>
      )}
      {brokenLine === null && cutLine === null && table.length > 1 && (
        <>
          <CsvColumns
            columns={columns}
            head={head}
            map={map}
            onChange={(column, index) => setChosen({ ...chosen, [column]: index })}
          />
          {map.model === null || map.amount === null ? (
            <Notice tone="near">Choose the columns that name the model and the amount.</Notice>
          ) : (
            <ComparedInvoice {...{ table, separator, map, statement }} />
          )}
        </>
      )}
    </div>
  );
}
