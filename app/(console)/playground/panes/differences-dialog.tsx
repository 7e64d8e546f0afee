"use client";

import { useId, useState } from "react";
import { findLastAnswer, type Pane } from "@/components/playground/panes/pane";
import { Dialog } from "@/components/ui/dialog/dialog";
import { DiffText } from "@/components/ui/text/diff-text";

type DifferencesDialogProps = {
  /** The panes whose last answers are to the same: at least two. */
  panes: readonly Pane[];
  /** The number of panes whose answers are to something else. */
  otherCount: number;
  close: () => void;
};

/** Shows the differences between the last answers of two panes. */
export function DifferencesDialog({ panes: answered, otherCount, close }: DifferencesDialogProps) {
  const [ids, setIds] = useState([answered[0]?.id ?? "", answered[1]?.id ?? ""]);
  const [left, right] = ids.map((id) => answered.find((pane) => pane.id === id));
  return (
    <Dialog open onClose={close} position="wide" title="Differences of two answers">
      <div className="mb-4 grid grid-cols-2 gap-3">
        {["First", "Second"].map((label, index) => (
          <PaneChoice
            key={label}
            label={label}
            panes={answered}
            value={ids[index] ?? ""}
            change={(id) => setIds(ids.with(index, id))}
          />
        ))}
      </div>
      {otherCount > 0 && (
        <p className="mb-3 text-sm text-muted">
          {otherCount === 1 ? "One pane answers" : `${otherCount} panes answer`} a different message and can’t
          be compared with these.
        </p>
      )}
      <DiffText before={left ? findLastAnswer(left) : ""} after={right ? findLastAnswer(right) : ""} />
    </Dialog>
  );
}

type PaneChoiceProps = { label: string; panes: readonly Pane[]; value: string; change: (id: string) => void };

function PaneChoice({ label, panes, value, change }: PaneChoiceProps) {
  const id = useId();
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <select id={id} value={value} onChange={(event) => change(event.target.value)} className="field h-9">
        {panes.map((pane, index) => (
          <option key={pane.id} value={pane.id}>
            {index + 1}: {pane.model}
          </option>
        ))}
      </select>
    </div>
  );
}
