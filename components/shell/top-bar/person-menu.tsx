"use client";

import { LogOut } from "lucide-react";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { paths } from "@/lib/console/paths";
import { confirmLeave } from "../../ui/dialog/unsaved";
import { Menu } from "../../ui/menu/menu";
import { Spinner } from "../../ui/spinner";
import { API_NAMES_COOKIE } from "../api-names";
import { accountEntry } from "../navigation/navigation";
import type { ShellActions, ShellData } from "../shell-data";
import { signOutHere } from "../sign-out-here";

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
