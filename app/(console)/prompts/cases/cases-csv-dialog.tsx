"use client";

import { useEffect, useState } from "react";
import { Button } from "@/components/ui/button";
import { CsvField } from "@/components/ui/csv/csv-field";
import { Dialog } from "@/components/ui/dialog/dialog";
import { useDialogScope } from "@/components/ui/dialog/dialog-scope";
import { registerUnsaved } from "@/components/ui/dialog/unsaved";
import { Notice } from "@/components/ui/notice";
import { MAX_CASES } from "@/lib/contract/bounds";
import type { CsvCase } from "./case-values";
import { type CsvPlan, planCases } from "./plan-cases";

type CasesCsvDialogProps = {
  /** The prompt's variables. */
  names: readonly string[];
  /** Number of existing cases. */
  kept: number;
  add: (cases: readonly CsvCase[]) => void;
  close: () => void;
};

const SHOWN_FAULTS = 10;
/** Larger than any table that fits into a prompt's stored cases. */
const MAX_BYTES = 2 * 1024 * 1024;
const UNADDED = { title: "Discard these cases?", text: "They have not been added." };

/** Adds cases from a CSV that is pasted, dropped or chosen. Previews them, and adds either all rows or none. */
export function CasesCsvDialog({ names, kept, add, close }: CasesCsvDialogProps) {
  const [text, setText] = useState("");
  const plan = text.trim() === "" ? null : planCases(text, names, kept);
  const canAdd = plan !== null && plan.faults.length === 0 && plan.cases.length > 0;
  return (
    <Dialog
      open
      onClose={close}
      position="wide"
      title="Add cases from CSV"
      description={`The first row names the variables, and checks as check:contains. Each further row is a case; a prompt has at most ${MAX_CASES}. Nothing is saved until you save the cases.`}
    >
      <KeepUnsaved isEmpty={text.trim() === ""} />
      <div className="grid gap-4">
        <CsvField
          label="CSV"
          help="Paste it, drop a file here, or choose one."
          placeholder={`${names.join(",") || "topic"}\n…`}
          text={text}
          onChange={setText}
          maxBytes={MAX_BYTES}
          tooLarge={`Choose a table of at most ${MAX_CASES} cases`}
        />
        {plan && <Plan plan={plan} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button
            variant="primary"
            disabled={!canAdd}
            onClick={() => {
              add(plan?.cases ?? []);
              close();
            }}
          >
            {canAdd ? `Add ${countCases(plan.cases.length)}` : "Add cases"}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Asks before the dialog closes with a text that isn't added. */
function KeepUnsaved({ isEmpty }: { isEmpty: boolean }) {
  const dialog = useDialogScope()?.id ?? null;
  useEffect(() => {
    if (isEmpty) return;
    return registerUnsaved({ dialog, describe: () => UNADDED, discard: () => {} });
  }, [dialog, isEmpty]);
  return null;
}

function Plan({ plan }: { plan: CsvPlan }) {
  const { faults, cases, variables, unused, missing } = plan;
  if (faults.length > 0) {
    return (
      <Notice tone="bad" role="alert" title="Nothing can be added yet">
        <ul className="grid gap-1">
          {faults.slice(0, SHOWN_FAULTS).map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              Line {line}: {message}
            </li>
          ))}
          {faults.length > SHOWN_FAULTS && <li>{faults.length - SHOWN_FAULTS} more lines have faults.</li>}
        </ul>
      </Notice>
    );
  }
  const checkCount = cases.reduce((sum, { checks }) => sum + checks.length, 0);
  return (
    <Notice tone={cases.length > 0 ? "good" : "near"} title={`Adds ${countCases(cases.length)}`}>
      <span className="grid gap-1">
        <span>
          Variables: <code className="font-mono">{variables.join(", ") || "none"}</code>. Checks: {checkCount}
          .
        </span>
        {missing.length > 0 && (
          <span>
            No column for <code className="font-mono">{missing.join(", ")}</code>: it stays empty.
          </span>
        )}
        {unused.length > 0 && (
          <span>
            The prompt doesn’t use <code className="font-mono">{unused.join(", ")}</code>.
          </span>
        )}
      </span>
    </Notice>
  );
}

function countCases(count: number): string {
  return count === 1 ? "1 case" : `${count} cases`;
}
