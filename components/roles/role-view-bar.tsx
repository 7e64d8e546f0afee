"use client";

import { ChevronDown, Eye } from "lucide-react";
import { useEffect } from "react";
import { navigation } from "@/components/shell/navigation/navigation";
import { shownTo } from "@/components/shell/navigation/shown-to";
import type { ShellPermissions } from "@/components/shell/shell-data";
import { toast } from "@/components/ui/dialog/toast";
import { Kbd } from "@/components/ui/kbd";
import { Menu } from "@/components/ui/menu/menu";
import { useLeaveRoleView, useOpenRoleView } from "./open-role-view";

type RoleViewBarProps = {
  view: { readonly roleId: string; readonly roleName: string; readonly isDraft: boolean };
  /** The roles that can be viewed instead. */
  roles: readonly { readonly id: string; readonly name: string }[];
  /** What the view may do. */
  permissions: ShellPermissions | undefined;
};

const button =
  "inline-flex h-7 shrink-0 items-center gap-1.5 rounded-md border border-current px-2.5 text-sm font-medium whitespace-nowrap hover:bg-accent-hover focus-visible:outline-accent-foreground pointer-coarse:h-9 [&_svg]:size-4";

/** Says on every screen that the console is viewed as a role, frames it, and leaves the view. */
export function RoleViewBar({ view, roles, permissions }: RoleViewBarProps) {
  const leave = useLeaveRoleView(view.roleId);
  useEscape(() => leave.mutate(undefined));
  useNoChanges(view.roleName);
  return (
    <>
      <div
        data-view-bar
        role="region"
        aria-label="View as a role"
        className="sticky top-0 z-30 flex h-11 items-center gap-2 bg-accent px-3 text-accent-foreground sm:px-4 print:hidden"
      >
        <Eye aria-hidden className="size-4 shrink-0" />
        <p className="min-w-0 flex-1 truncate">
          <strong className="font-semibold">You see the console as {view.roleName}.</strong>{" "}
          <span className="max-md:hidden">
            Read-only{view.isDraft && ", with your unsaved changes to the role"}. What you may not see
            yourself stays hidden.
          </span>
        </p>
        <ViewMenus view={view} roles={roles} permissions={permissions} />
        <button type="button" className={button} onClick={() => leave.mutate(undefined)}>
          Back to the role
        </button>
        <span className="max-sm:hidden">
          <Kbd>Esc</Kbd>
        </span>
      </div>
      <div
        aria-hidden
        className="pointer-events-none fixed inset-0 z-40 border-2 border-accent print:hidden"
      />
    </>
  );
}

/** What the role doesn't see, and what can be viewed instead: the saved role, or another one. */
function ViewMenus({ view, roles, permissions }: RoleViewBarProps) {
  const open = useOpenRoleView();
  const leave = useLeaveRoleView(view.roleId);
  const hidden = listHiddenScreens(permissions);
  const saved = {
    id: "saved",
    label: "See the role as saved",
    onSelect: () => open.mutate({ roleId: view.roleId, roleName: view.roleName }),
  };
  const back = { id: "back", label: "Back to the role", onSelect: () => leave.mutate(undefined) };
  const others = roles.map(({ id, name }) => ({
    id,
    label: name,
    choice: { kind: "one" as const, isChosen: id === view.roleId },
    onSelect: () => open.mutate({ roleId: id, roleName: name }),
  }));
  return (
    <>
      {hidden.length > 0 && (
        <span className="max-lg:hidden">
          <Menu
            trigger={<MenuLabel text="What it doesn’t see" />}
            triggerClassName={button}
            align="end"
            head={<HiddenScreenList hidden={hidden} />}
            sections={[{ entries: view.isDraft ? [saved] : [back] }]}
          />
        </span>
      )}
      <span className="max-sm:hidden">
        <Menu
          trigger={<MenuLabel text="Another role" />}
          triggerClassName={button}
          align="end"
          noun="roles"
          sections={[...(view.isDraft ? [{ entries: [saved] }] : []), { entries: others }]}
        />
      </span>
    </>
  );
}

function MenuLabel({ text }: { text: string }) {
  return (
    <>
      {text}
      <ChevronDown aria-hidden />
    </>
  );
}

function HiddenScreenList({ hidden }: { hidden: ReturnType<typeof listHiddenScreens> }) {
  return (
    <div className="grid gap-1 text-sm">
      <p className="font-semibold">What this role doesn’t see</p>
      <ul className="grid gap-0.5">
        {hidden.map(({ entry, screens }) => (
          <li key={entry}>
            <span className="font-medium">{entry}</span>
            {screens.length > 0 && <span className="text-muted">: {screens.join(", ")}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Escape leaves, unless it closes something or is pressed in a field. */
function useEscape(leave: () => void) {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea, select");
      if (isTyping || document.querySelector("dialog[open], [popover=auto]:popover-open")) return;
      leave();
    }
    // Before what the key closes is closed.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  });
}

/** Stops what would change something, and says why: the gateway would refuse it anyway. */
function useNoChanges(roleName: string) {
  useEffect(() => {
    function stop(event: Event) {
      const isChange =
        event.type === "submit" ||
        (event.target instanceof Element && event.target.closest("#main [data-changes]") !== null);
      if (!isChange) return;
      event.preventDefault();
      event.stopPropagation();
      toast({
        message: `Nothing can be changed while you view the console as ${roleName}.`,
        tone: "neutral",
      });
    }
    document.addEventListener("click", stop, true);
    document.addEventListener("submit", stop, true);
    return () => {
      document.removeEventListener("click", stop, true);
      document.removeEventListener("submit", stop, true);
    };
  }, [roleName]);
}

/** An entry of the sidebar of which somebody is offered nothing or, with `screens`, not these tabs. */
interface HiddenScreens {
  readonly entry: string;
  readonly screens: readonly string[];
}

/** The entries and tabs that somebody with these permissions is not offered. */
export function listHiddenScreens(permissions: ShellPermissions | undefined): HiddenScreens[] {
  const shown = shownTo(permissions).flat();
  return navigation.flat().flatMap(({ label: entry, letter, screens }) => {
    const offered = shown.find((one) => one.letter === letter)?.screens ?? [];
    const missing = screens.filter(({ label }) => !offered.some((screen) => screen.label === label));
    if (missing.length === 0) return [];
    return [{ entry, screens: offered.length === 0 ? [] : missing.map(({ label }) => label) }];
  });
}
