import { Plus, X } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { IconButton } from "@/components/ui/icon-button";
import { Section } from "@/components/ui/section";
import { toNano } from "@/lib/money/amount";
import { readCount } from "./calculate";
import type { Calculation } from "./calculation";
import { CountBox } from "./count-box";
import type { PriceSheet } from "./price-sheet";
import { RoundedMoney } from "./rounded-money";
import type { Asked } from "./use-calculator-address";
import { costOfLine, costOfMix, type MixLine, writeMix } from "./work-mix";

const COLUMNS = "sm:grid-cols-[minmax(8rem,1fr)_6.5rem_6.5rem_6.5rem_7rem_2rem]";
export const DAYS_OF_MONTH = 30;

type WorkDayProps = {
  shown: Calculation;
  currency: string | undefined;
  change: (part: Partial<Asked>) => void;
};

/** A mix of calls to several models, and its cost per day and per month. */
export function WorkDay({ shown, currency, change }: WorkDayProps) {
  const { mix, weekMix, sheet, linked, model } = shown;
  const save = (lines: readonly MixLine[]) => change({ mix: writeMix(lines) });
  const next = [...sheet.keys()].find((id) => mix.every((line) => line.model !== id)) ?? model?.id;
  const add = { model: next ?? "", calls: "1,000", input: "1,000", output: "125" };
  return (
    <Section
      title="What a day of work costs"
      description="Calls of one size to each model. Each call is charged and rounded by itself."
      actions={
        weekMix.length > 0 && (
          <Button size="small" className="print:hidden" onClick={() => change({ mix: null })}>
            Fill from the last 7 days
          </Button>
        )
      }
    >
      <Card className="grid gap-2">
        <div
          aria-hidden
          className={`hidden gap-2 border-b pb-2 text-sm text-muted sm:grid ${COLUMNS} [&>*:nth-child(n+2)]:text-right`}
        >
          <span>Model</span>
          <span>Calls a day</span>
          <span>Tokens in</span>
          <span>Tokens out</span>
          <span>Cost a day</span>
        </div>
        {mix.map((line, index) => (
          <MixRow
            key={index}
            {...{ line, sheet, currency }}
            linked={linked?.sheet ?? null}
            save={(part) => save(mix.map((one, at) => (at === index ? { ...one, ...part } : one)))}
            remove={() => save(mix.filter((_, at) => at !== index))}
          />
        ))}
        {mix.length === 0 && <p className="py-4 text-muted">Add a model to see what its calls cost.</p>}
        <div className="flex flex-wrap items-start justify-between gap-3 border-t pt-3">
          <Button size="small" className="print:hidden" onClick={() => save([...mix, add])}>
            <Plus aria-hidden />
            Model
          </Button>
          <Totals mix={mix} sheet={sheet} linked={linked?.sheet ?? null} currency={currency} />
        </div>
      </Card>
    </Section>
  );
}

type MixRowProps = {
  line: MixLine;
  sheet: PriceSheet;
  linked: PriceSheet | null;
  currency: string | undefined;
  save: (part: Partial<MixLine>) => void;
  remove: () => void;
};

function MixRow({ line, sheet, linked, save, remove }: MixRowProps) {
  const cost = costOfLine(line, sheet);
  const before = linked && costOfLine(line, linked);
  const isKnown = sheet.has(line.model);
  const box = (name: "calls" | "input" | "output", label: string) => (
    <span className="grid gap-1">
      <span aria-hidden className="text-sm text-muted sm:hidden">
        {label}
      </span>
      <CountBox
        label={`${label}, ${line.model}`}
        value={line[name]}
        fault={readCount(line[name]).fault}
        onChange={(text) => save({ [name]: text })}
      />
    </span>
  );
  return (
    <div role="group" aria-label={line.model} className={`grid grid-cols-3 items-center gap-2 ${COLUMNS}`}>
      <select
        aria-label="Model of this line"
        className="field h-9 font-mono text-sm max-sm:col-span-3 pointer-coarse:h-11"
        value={line.model}
        onChange={({ target }) => save({ model: target.value })}
      >
        {!isKnown && <option value={line.model}>{line.model || "Choose a model"} (no price)</option>}
        {[...sheet.keys()].map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      {box("calls", "Calls a day")}
      {box("input", "Tokens in")}
      {box("output", "Tokens out")}
      <span className="grid justify-items-end text-right font-medium max-sm:col-span-2">
        {cost === null ? <span className="font-normal text-muted">–</span> : <RoundedMoney amount={cost} />}
        {before !== null && before !== cost && (
          <span className="text-sm font-normal text-muted">
            was <RoundedMoney amount={before} />
          </span>
        )}
      </span>
      <span className="justify-self-end print:hidden">
        <IconButton label={`Remove ${line.model}`} icon={<X aria-hidden />} onClick={remove} />
      </span>
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
  const day = costOfMix(mix, sheet);
  const before = linked && costOfMix(mix, linked);
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
