"use client";

import { Columns3 } from "lucide-react";
import { composeButtonStyle } from "@/components/ui/compose-button-style";
import { useUrlParameter } from "@/components/ui/filters/use-url-parameter";
import { Menu } from "@/components/ui/menu/menu";
import type { MenuEntry } from "@/components/ui/menu/menu-item";
import { type ColumnName, columnNames, defaultColumns } from "./request-columns";

const all = Object.keys(columnNames) as ColumnName[];

/** The visible columns, from the address or by default. */
export function useColumns(): [readonly ColumnName[], (columns: readonly ColumnName[]) => void] {
  const [text, setText] = useUrlParameter("columns");
  const named = all.filter((name) => text.split(",").includes(name));
  const choose = (columns: readonly ColumnName[]) => {
    const isUsual =
      columns.length === defaultColumns.length && columns.every((name) => defaultColumns.includes(name));
    setText(isUsual ? "" : columns.join(","));
  };
  return [named.length > 0 ? named : defaultColumns, choose];
}

/** Shows and hides columns. */
export function ColumnMenu() {
  const [columns, choose] = useColumns();
  const toggle = (name: ColumnName) =>
    choose(all.filter((one) => (one === name ? !columns.includes(one) : columns.includes(one))));
  return (
    <Menu
      align="end"
      triggerClassName={composeButtonStyle()}
      trigger={
        <>
          <Columns3 aria-hidden />
          Columns
        </>
      }
      sections={[
        {
          entries: all.map(
            (name): MenuEntry => ({
              id: name,
              label: columnNames[name],
              choice: { kind: "several", isChosen: columns.includes(name) },
              disabled: columns.length === 1 && columns.includes(name),
              onSelect: () => toggle(name),
            }),
          ),
        },
      ]}
    />
  );
}
