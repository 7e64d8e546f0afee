"use client";

import { Moon, Sun } from "lucide-react";
import { useTheme } from "next-themes";
import { Menu } from "../../ui/menu/menu";
import type { MenuEntry } from "../../ui/menu/menu-item";
import { themes } from "./themes";

export function ThemeMenu() {
  const { theme, setTheme } = useTheme();
  const entries = themes.map(
    ({ id, label, icon }): MenuEntry => ({
      id,
      label,
      icon,
      choice: { kind: "one", isChosen: theme === id },
      onSelect: () => setTheme(id),
    }),
  );
  return (
    <Menu
      label="Theme"
      align="end"
      sections={[{ entries }]}
      triggerClassName="grid size-8 place-items-center rounded-md text-muted hover:bg-default hover:text-foreground pointer-coarse:size-11"
      trigger={
        <>
          <Sun aria-hidden className="size-4 dark:hidden" />
          <Moon aria-hidden className="hidden size-4 dark:block" />
        </>
      }
    />
  );
}
