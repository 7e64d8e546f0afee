"use client";

import { LogOut, Monitor, Moon, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTheme } from "next-themes";
import { useTransition } from "react";
import { API_NAMES_COOKIE } from "@/components/shell/api-names";
import { accountEntry } from "@/components/shell/navigation/navigation";
import type { ShellActions, ShellData } from "@/components/shell/shell-data";
import { signOutHere } from "@/components/shell/sign-out-here";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { Menu } from "@/components/ui/menu/menu";
import type { MenuEntry } from "@/components/ui/menu/menu-item";
import { Spinner } from "@/components/ui/spinner";
import { paths } from "@/lib/console/paths";

const YEAR_S = 31_536_000;

type PersonMenuProps = Pick<ShellData, "person" | "apiNames"> & Pick<ShellActions, "signOut">;

export function PersonMenu({ person, apiNames, signOut }: PersonMenuProps) {
  const router = useRouter();
  const [pending, startTransition] = useTransition();
  const { label, icon } = accountEntry;
  const entries = [
    ...(person.hasAccount ? [{ id: "account", label, icon, href: paths.account() }] : []),
    {
      id: "api-names",
      label: "Show API names of fields",
      choice: { kind: "several" as const, isChosen: apiNames },
      onSelect: () => {
        document.cookie = `${API_NAMES_COOKIE}=${apiNames ? "off" : "on"}; path=/; max-age=${YEAR_S}; samesite=lax`;
        router.refresh();
      },
    },
    {
      id: "sign-out",
      label: "Sign out",
      icon: LogOut,
      onSelect: () => confirmLeave(() => startTransition(() => signOutHere(signOut))),
    },
  ];
  return (
    <Menu
      label={`Signed in as ${person.name}`}
      align="end"
      head={
        <>
          <p className="truncate font-medium">{person.name}</p>
          {person.note && <p className="truncate text-xs text-muted">{person.note}</p>}
        </>
      }
      sections={[{ entries }]}
      triggerClassName="grid size-8 place-items-center rounded-full pointer-coarse:size-11"
      trigger={
        <span
          // Drawn by CSS, so that the initials don't become part of the button's accessible name.
          data-initials={initials(person.name)}
          className="grid size-7 place-items-center rounded-full border bg-default text-xs font-medium not-has-[svg]:before:content-[attr(data-initials)]"
        >
          {pending && <Spinner />}
        </span>
      }
    />
  );
}

function initials(name: string): string {
  const words = name.split(/[\s@._-]+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase())
    .join("");
}

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

export const themes = [
  { id: "light", label: "Light", command: "Use the light theme", icon: Sun },
  { id: "dark", label: "Dark", command: "Use the dark theme", icon: Moon },
  { id: "system", label: "Same as the system", command: "Use the system’s theme", icon: Monitor },
] as const;
