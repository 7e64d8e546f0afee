import { X } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../icon-button";
import { formatCount } from "../values/group-digits";

type SelectionBarProps = { count: number; noun: string; clear: () => void; children: ReactNode };

/** Stands in place of the filters while rows are chosen: how many, and what can be done with them. */
export function SelectionBar({ count, noun, clear, children }: SelectionBarProps) {
  return (
    <div
      role="toolbar"
      aria-label={`Actions for selected ${noun}s`}
      className="mb-3 flex min-h-8 flex-wrap items-center gap-2"
    >
      <IconButton size="small" label="Clear selection" icon={<X />} onClick={clear} />
      <span role="status" className="mr-2 font-medium">
        {formatCount(count)} {count === 1 ? noun : `${noun}s`} selected
      </span>
      {children}
    </div>
  );
}
