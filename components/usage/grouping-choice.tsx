"use client";

import { type Grouping, groupingNames } from "./usage-query";

type GroupingChoiceProps = {
  value: Grouping;
  choices: readonly Grouping[];
  choose: (grouping: string) => void;
};

/** Chooses the dimension by which a chart's values are grouped. */
export function GroupingChoice({ value, choices, choose }: GroupingChoiceProps) {
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      By
      <select
        aria-label="Group by"
        className="field h-8 w-auto pointer-coarse:h-11"
        value={value}
        onChange={(event) => choose(event.target.value)}
      >
        {groupingNames
          .filter((grouping) => choices.includes(grouping.value))
          .map((grouping) => (
            <option key={grouping.value} value={grouping.value}>
              {grouping.label}
            </option>
          ))}
      </select>
    </label>
  );
}
