"use client";

import { FileCode } from "lucide-react";
import { useState } from "react";
import { classNames } from "@/components/ui/class-names";
import { CopyButton } from "@/components/ui/text/copy-button";
import type { PlannedChange } from "@/lib/contract/operations/configuration/configuration";
import { type Choices, type ShownPlan, writeLine } from "./shown-plan";

type FilePaneProps = { shown: ShownPlan; chosen: Choices };

/** The file against the gateway, or the whole of it, and the same plan for a terminal. */
export function FilePane({ shown: { name, text, plan }, chosen }: FilePaneProps) {
  const [isWhole, setIsWhole] = useState(false);
  const applying = `npm run apply -- ${plan.id}`;
  const commands = text === null ? applying : `npm run plan -- ${name}\n${applying}`;
  return (
    <aside
      aria-label={text === null ? "The changes" : "The file"}
      className="flex min-h-0 min-w-0 flex-col border-t bg-surface lg:border-t-0 lg:border-l"
    >
      <div className="flex flex-wrap items-center gap-2 border-b px-4 py-2.5">
        <FileCode aria-hidden className="size-4 text-muted" />
        <b className="font-semibold wrap-anywhere">{name}</b>
        <span className="text-sm text-muted">against the gateway</span>
        {text !== null && (
          <span className="ml-auto">
            <WholeSwitch isWhole={isWhole} setIsWhole={setIsWhole} />
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is reached by keyboard. */}
      <section
        aria-label={isWhole ? "Whole file" : "Changes"}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto font-mono text-xs"
      >
        {isWhole && text !== null ? (
          <WholeFile text={text} />
        ) : (
          plan.changes.map((change) => (
            <Hunk key={change.id} change={change} isBack={chosen.has(change.id)} />
          ))
        )}
      </section>
      <div className="border-t bg-background px-4 py-2.5">
        <div className="flex items-center justify-between text-xs text-muted">
          The same from a terminal or CI
          <CopyButton text={commands} what="commands" />
        </div>
        <pre className="overflow-x-auto font-mono text-xs">{commands}</pre>
      </div>
    </aside>
  );
}

type WholeSwitchProps = { isWhole: boolean; setIsWhole: (isWhole: boolean) => void };

export function WholeSwitch({ isWhole, setIsWhole }: WholeSwitchProps) {
  return (
    <fieldset className="flex overflow-hidden rounded-md border">
      <legend className="sr-only">What is shown of the file</legend>
      {[false, true].map((whole) => (
        <button
          key={String(whole)}
          type="button"
          aria-pressed={whole === isWhole}
          onClick={() => setIsWhole(whole)}
          className={classNames(
            "h-8 border-r px-2.5 text-sm -outline-offset-2 last:border-r-0 pointer-coarse:h-11",
            whole === isWhole
              ? "bg-default font-semibold forced-colors:outline"
              : "text-muted hover:bg-default/70",
          )}
        >
          {whole ? "Whole file" : "Changes"}
        </button>
      ))}
    </fieldset>
  );
}

export function WholeFile({ text }: { text: string }) {
  return (
    <pre className="py-2 leading-5">
      {text.split("\n").map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no other name than its number.
        <span key={index} className="grid grid-cols-[3rem_1fr]">
          <span aria-hidden className="pr-3 text-right text-muted select-none">
            {index + 1}
          </span>
          {line || " "}
        </span>
      ))}
    </pre>
  );
}

function Hunk({ change, isBack }: { change: PlannedChange; isBack: boolean }) {
  const { path, kind, origin, fields } = change;
  const state = origin === "here" ? (isBack ? "changed here, goes back" : "changed here, kept") : null;
  const isKept = origin === "here" && !isBack;
  return (
    <div>
      <p className="border-b bg-background px-4 py-1 font-sans text-muted wrap-anywhere">
        {path.join(" › ")}
        {state && <b className="font-semibold text-warning"> · {state}</b>}
      </p>
      <div className="py-1 leading-5">
        {fields.length === 0 && <Line sign={kind === "remove" ? "−" : "+"} text={String(path.at(-1))} />}
        {fields.map(({ name, before, after }) => (
          <div key={name}>
            {before !== null && <Line sign={isKept ? "!" : "−"} text={writeLine(name, before)} />}
            {kind !== "remove" && !isKept && <Line sign="+" text={writeLine(name, after)} />}
          </div>
        ))}
      </div>
    </div>
  );
}

const looks: Readonly<Record<string, string>> = {
  "+": "bg-success-soft",
  "−": "bg-danger-soft",
  "!": "bg-warning-soft",
};

function Line({ sign, text }: { sign: string; text: string }) {
  return (
    <p className={classNames("grid grid-cols-[2rem_1fr] pr-3", looks[sign])}>
      <span className="text-center text-muted">{sign}</span>
      <span className="wrap-anywhere">{text}</span>
    </p>
  );
}
