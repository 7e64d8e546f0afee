"use client";

import { ArrowDown, ArrowUp, Maximize2 } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback } from "react";
import { Dialog } from "@/components/ui/dialog/dialog";
import { IconButton } from "@/components/ui/icon-button";
import { LinkButton } from "@/components/ui/links/link-button";

type ListDrawerProps = {
  id: string;
  /** The ids of the list's rows, in their order. */
  ids: readonly string[];
  /** Shows another row. "" closes the drawer. */
  show: (id: string) => void;
  /** A noun for one row: "call". */
  noun: string;
  /** The address of the row's own page. */
  href: string;
  title: ReactNode;
  children: ReactNode;
};

/** Shows a row next to its list. J and K move through the list, and so do the arrows on the buttons for it. */
export function ListDrawer({ id, ids, show, noun, href, title, children }: ListDrawerProps) {
  const at = ids.indexOf(id);
  const step = useCallback(
    (by: 1 | -1) => {
      const next = at < 0 ? undefined : ids[at + by];
      if (next) show(next);
    },
    [at, ids, show],
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const by = readStep(event);
    if (by === 0) return;
    step(by);
    event.preventDefault();
  };
  return (
    <Dialog open onClose={() => show("")} position="right" title={title}>
      {/* Inside the dialog, since the dialog stops key events. */}
      <div onKeyDown={onKeyDown} role="presentation">
        <div className="mb-3 flex items-center gap-1">
          <LinkButton size="small" href={href}>
            <Maximize2 aria-hidden />
            Open page
          </LinkButton>
          <IconButton
            label={`Show the newer ${noun}`}
            icon={<ArrowUp />}
            data-step
            disabled={at <= 0}
            onClick={() => step(-1)}
          />
          <IconButton
            label={`Show the older ${noun}`}
            icon={<ArrowDown />}
            data-step
            disabled={at < 0 || at === ids.length - 1}
            onClick={() => step(1)}
          />
        </div>
        {children}
      </div>
    </Dialog>
  );
}

type PressedKey = {
  key: string;
  metaKey: boolean;
  ctrlKey: boolean;
  altKey: boolean;
  target: { closest: (selectors: string) => object | null } | EventTarget;
};

const letters: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1 };
const arrows: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * The step through a list that a key asks for, 0 if none. Letters belong to a field while it has the focus, and arrows
 * to what is scrolled or played, except on the buttons marked with `data-step`.
 */
export function readStep({ key, metaKey, ctrlKey, altKey, target }: PressedKey): 1 | -1 | 0 {
  if (metaKey || ctrlKey || altKey || !("closest" in target)) return 0;
  if (target.closest("[data-step]")) return letters[key] ?? arrows[key] ?? 0;
  if (target.closest("input, textarea, select, [contenteditable]")) return 0;
  return letters[key] ?? 0;
}
