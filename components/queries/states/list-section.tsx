"use client";

import type { ComponentProps, ReactNode } from "react";
import { Section } from "@/components/ui/section";
import { EmptyState } from "@/components/ui/states/empty-state";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { isEmpty, ReadState, type ShownRead } from "./read-state";

type ListSectionProps<Data> = {
  title: string;
  description?: string;
  read: ShownRead<Data>;
  /** What the person wants to do, after "to": "list the keys". */
  to: string;
  /** The size of the table while it loads. */
  size: { rows: number; columns: number };
  /** What an empty list says, besides the button. */
  empty: Omit<ComponentProps<typeof EmptyState>, "action">;
  /** The button that adds a row: at the head, or in place of an empty list. False without the permission. */
  add: ReactNode;
  /** The dialog that `add` opens. */
  dialog: ReactNode;
  children: (data: Data) => ReactNode;
};

/** A list as a part of a page, with the button that adds to it. */
export function ListSection<Data>(props: ListSectionProps<Data>) {
  const { title, description, read, to, size, empty, add, dialog, children } = props;
  return (
    <Section title={title} description={description} actions={!isEmpty(read.data) && add}>
      <ReadState
        read={read}
        to={to}
        skeleton={<TableSkeleton {...size} />}
        empty={<EmptyState {...empty} action={add} />}
      >
        {(data) => <div>{children(data)}</div>}
      </ReadState>
      {dialog}
    </Section>
  );
}
