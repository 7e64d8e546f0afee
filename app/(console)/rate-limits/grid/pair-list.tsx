"use client";

import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, useCallback, useRef, useSyncExternalStore } from "react";
import { SandboxBadge } from "@/components/models/sandbox-badge";
import { limitFields } from "@/components/rate-limits/limit-fields";
import { classNames } from "@/components/ui/class-names";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { paths } from "@/lib/console/paths";
import type { GridItem } from "./arrange-pairs";
import { useGrid } from "./grid-context";
import { GroupButton, RowName } from "./grid-row";
import { writeLimit } from "./limit-cell";
import { applies, type LimitPair, resolve, savedValue } from "./limit-pair";

const HEAD_PX = 44;
const PAIR_PX = 176;

/** The grid on a phone: each pair with its six limits, which leads to its form. */
export function PairList({ items }: { items: readonly GridItem[] }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (items[index]?.kind === "group" ? HEAD_PX : PAIR_PX),
    overscan: 4,
    // Another function would have all rows placed again.
    getItemKey: useCallback((index: number) => `${items[index]?.kind} ${items[index]?.key}`, [items]),
  });
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto border-t bg-surface">
      <ul aria-label="Rate limits" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start, size }) => {
          const item = items[index];
          if (!item) return null;
          return (
            <li
              key={key}
              className="absolute inset-x-0 top-0 border-b"
              style={{ transform: `translateY(${start}px)`, height: size }}
            >
              {item.kind === "group" ? (
                <div className="h-full bg-background px-4">
                  <GroupButton group={item} isTabStop />
                </div>
              ) : (
                <PairItem pair={item.pair} />
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const PairItem = memo(function PairItem({ pair }: { pair: LimitPair }) {
  const { draft } = useGrid();
  const read = () => draft.row(pair.key);
  const cells = useSyncExternalStore(draft.subscribe, read, read);
  return (
    <div className="relative grid h-full content-center gap-0.5 px-4 text-sm">
      <div className="mb-0.5 flex items-baseline gap-2">
        {pair.kind === "project" ? (
          <ConsoleLink
            href={paths.rateLimit(pair.projectId, pair.model)}
            className="stretched min-w-0 truncate rounded-sm font-medium"
          >
            <RowName pair={pair} />
          </ConsoleLink>
        ) : (
          <span className="min-w-0 truncate font-medium">
            <RowName pair={pair} />
          </span>
        )}
        <span className="ml-auto flex items-center gap-1.5 text-xs text-muted">
          {pair.sandbox && <SandboxBadge />}
          {pair.family}
        </span>
      </div>
      <dl className="grid gap-0.5">
        {limitFields.map((field) => {
          const cell = cells[field.name];
          const { value, isOwn } = savedValue(pair, field.name);
          const isApplied = applies(pair, field);
          const shown = cell && cell.fault === undefined ? resolve(pair, field.name, cell.to) : value;
          return (
            <div key={field.name} className="flex justify-between gap-4">
              <dt className="truncate text-muted">{field.label}</dt>
              <dd
                className={classNames(
                  cell
                    ? "font-semibold text-accent-text"
                    : isOwn && isApplied
                      ? "font-semibold"
                      : "text-muted",
                )}
              >
                {isApplied ? writeLimit(shown) : "n/a"}
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
});
