"use client";

import { ArrowDown, ArrowUp, Maximize2 } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useCallback } from "react";
import { Dialog } from "../dialog/dialog";
import { IconButton } from "../icon-button";
import { LinkButton } from "../links/link-button";
import { readStep } from "./read-step";

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
