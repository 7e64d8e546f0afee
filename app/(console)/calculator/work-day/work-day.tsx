import { Download, Plus } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Section } from "@/components/ui/section";
import { downloadFile } from "@/components/ui/text/download-file";
import { RoundedMoney } from "@/components/ui/values/rounded-money";
import { toNano } from "@/lib/money/amount";
import type { Calculation } from "../calculation";
import type { PriceSheet } from "../price-sheet";
import type { Asked } from "../use-calculator-address";
import { writeDay } from "./day-csv";
import { MIX_COLUMNS, MixRow, OtherModelsRow } from "./mix-row";
import { computeMixCost, DAYS_OF_MONTH, type MixLine, OTHER_MODELS, usualLine, writeMix } from "./work-mix";

export const WORK_DAY = "What a day of work costs";

type WorkDayProps = {
  shown: Calculation;
  currency: string | undefined;
  change: (part: Partial<Asked>) => void;
};

/** A mix of calls to several models, and its cost per day and per month. */
export function WorkDay({ shown, currency, change }: WorkDayProps) {
  const { mix, weekMix, isFromWeek, sheet, linked, model } = shown;
  const save = (lines: readonly MixLine[]) => change({ mix: writeMix(lines) });
  const next = [...sheet.keys()].find((id) => mix.every((line) => line.model !== id)) ?? model?.id;
  const add = { ...usualLine, model: next ?? "" };
  return (
    <Section
      title={WORK_DAY}
      description="All calls to a model have the same size, and each is charged and rounded on its own. Cached input costs its own price, or the input price where there is none; don’t count it in tokens in."
      actions={
        <>
          {weekMix.length > 0 && !isFromWeek && (
            <Button size="small" onClick={() => change({ mix: null })}>
              Fill from the last 7 days
            </Button>
          )}
          {computeMixCost(mix, sheet) !== null && (
            <Button
              size="small"
              onClick={() =>
                downloadFile("day-of-work.csv", "text/csv", writeDay(mix, sheet, linked?.sheet ?? null))
              }
            >
              <Download aria-hidden />
              Day as CSV
            </Button>
          )}
        </>
      }
    >
      <Card className="grid break-inside-avoid gap-2">
        <Heads hasTokens={mix.some(({ model: id }) => id !== OTHER_MODELS && !sheet.get(id)?.perUnit)} />
        {mix.map((line, index) =>
          line.model === OTHER_MODELS ? (
            <OtherModelsRow
              key={index}
              line={line}
              remove={() => save(mix.filter((_, at) => at !== index))}
            />
          ) : (
            <MixRow
              key={index}
              {...{ line, sheet }}
              linked={linked?.sheet ?? null}
              save={(part) => save(mix.map((one, at) => (at === index ? { ...one, ...part } : one)))}
              remove={() => save(mix.filter((_, at) => at !== index))}
            />
          ),
        )}
        {mix.length === 0 && <p className="py-4 text-muted">Add a model to see what its calls cost.</p>}
        <div className="flex flex-wrap items-start justify-between gap-3 border-t pt-3">
          <Button size="small" onClick={() => save([...mix, add])}>
            <Plus aria-hidden />
            Model
          </Button>
          <Totals mix={mix} sheet={sheet} linked={linked?.sheet ?? null} currency={currency} />
        </div>
      </Card>
    </Section>
  );
}

/** The heads of the columns. The heads of token counts are left out if no model is priced by tokens. */
function Heads({ hasTokens }: { hasTokens: boolean }) {
  return (
    <div
      aria-hidden
      className={`hidden gap-2 border-b pb-2 text-sm text-muted md:grid ${MIX_COLUMNS} [&>*:nth-child(n+2)]:text-right`}
    >
      <span>Model</span>
      <span>Calls a day</span>
      {hasTokens ? (
        <>
          <span>Tokens in</span>
          <span>Cached in</span>
          <span>Tokens out</span>
        </>
      ) : (
        <span className="col-span-3" />
      )}
      <span>Cost a day</span>
    </div>
  );
}

type TotalsProps = {
  mix: readonly MixLine[];
  sheet: PriceSheet;
  linked: PriceSheet | null;
  currency: string | undefined;
};

function Totals({ mix, sheet, linked, currency }: TotalsProps) {
  const day = computeMixCost(mix, sheet);
  const before = linked && computeMixCost(mix, linked);
  if (day === null) return <p className="text-sm text-muted">The sum needs a cost on every line.</p>;
  const rows = [
    { name: "A day", days: 1n },
    { name: `A month of ${DAYS_OF_MONTH} days`, days: BigInt(DAYS_OF_MONTH) },
  ];
  return (
    <dl className="ml-auto grid grid-cols-[auto_auto] gap-x-6 gap-y-1 text-right sm:pr-10">
      {rows.map(({ name, days }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="font-semibold">
            <RoundedMoney amount={toNano(day * days)} currency={currency} />
            {before !== null && before !== day && (
              <span className="block text-sm font-normal text-muted">
                was <RoundedMoney amount={toNano(before * days)} />
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
