"use client";

import { CircleHelp, Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useTheme } from "next-themes";
import { type ComponentProps, type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { useLinkedProject, useScreenAddress } from "@/components/shell/project/shell-projects";
import type { ShellActions, ShellPermissions, ShellProject } from "@/components/shell/shell-data";
import { isComposing } from "@/components/ui/browser/is-composing";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Modal } from "@/components/ui/dialog/modal";
import { confirmLeave } from "@/components/ui/dialog/unsaved";
import { beginsWords, listAskedWords } from "@/components/ui/search/match-words";
import { paths } from "@/lib/console/paths";
import { permissionCatalogue } from "@/lib/contract/access/permissions";
import { type Command, listCommands, searchCommands } from "./commands";
import { describeHits, useFoundObjects } from "./use-found-objects";

export type PaletteProps = ShellActions & {
  /** Goes to an address, and marks it until its screen has come. */
  goTo: (href: string) => void;
  projects: readonly ShellProject[];
  permissions: ShellPermissions | undefined;
  onClose: () => void;
  /** Text typed while this component was loading; `isEntered` is true if Enter followed it. */
  typed: string;
  isEntered: boolean;
};

/** Finds screens, actions, projects, themes and objects by typing. Follows the ARIA combobox pattern. */
export function CommandPalette({ onClose, typed, isEntered, findObjects, ...shell }: PaletteProps) {
  const id = useId();
  const { setTheme } = useTheme();
  const pathname = usePathname();
  const linkedProject = useLinkedProject();
  const addressOf = useScreenAddress();
  const [search, setSearch] = useState(typed);
  const [index, setIndex] = useState(0);
  const { objects, isSearching, fault, searchAgain } = useFoundObjects(search, findObjects, shell.goTo);
  const hits = [
    ...listQuestions(search, shell.permissions, shell.goTo),
    ...searchCommands(listCommands({ ...shell, pathname, linkedProject, addressOf, setTheme }), search),
    ...objects,
  ];

  function run(command: Command | undefined) {
    if (!command) return;
    onClose();
    command.run();
  }
  const setIsAwaited = useAwaitedHit(isEntered, hits.length > 0, () => run(hits[0]));

  function steer(event: KeyboardEvent) {
    if (event.key === "Enter") {
      // Running a command returns the focus to the page, which must not receive the same key press.
      event.preventDefault();
      if (hits[index]) run(hits[index]);
      else setIsAwaited(isSearching);
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || hits.length === 0) return;
    event.preventDefault();
    const next = (index + step + hits.length) % hits.length;
    setIndex(next);
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
  }

  return (
    <Modal label="Go to" position="top" onClose={onClose}>
      <div className="flex max-h-[inherit] flex-col">
        <PaletteSearch
          aria-expanded={hits.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={hits.length > 0 ? `${id}-${index}` : undefined}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setIndex(0);
            setIsAwaited(false);
          }}
          onKeyDown={(event) => isComposing(event) || steer(event)}
        />
        <div id={`${id}-list`} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-1">
          {hits.map((command, at) => (
            <PaletteOption
              key={command.id}
              id={`${id}-${at}`}
              command={command}
              isActive={at === index}
              onPoint={() => setIndex(at)}
              onRun={() => run(command)}
            />
          ))}
        </div>
        <HitCount count={hits.length} {...{ isSearching, search, fault, searchAgain }} />
      </div>
    </Modal>
  );
}

/** An Enter that came before the gateway's answer runs the first result once there is one. */
function useAwaitedHit(isEntered: boolean, hasHits: boolean, run: () => void) {
  const [isAwaited, setIsAwaited] = useState(isEntered);
  const runFirst = useEffectEvent(run);
  useEffect(() => {
    if (isAwaited && hasHits) runFirst();
  }, [isAwaited, hasHits]);
  return setIsAwaited;
}

type HitCountProps = {
  count: number;
  isSearching: boolean;
  search: string;
  fault: string | null;
  searchAgain: () => void;
};

function HitCount({ searchAgain, ...hits }: HitCountProps) {
  const isUnseen = hits.count > 0 && hits.fault === null;
  return (
    <div
      className={
        isUnseen ? "sr-only" : "grid justify-items-center gap-2 px-3 pt-2 pb-6 text-center text-muted"
      }
    >
      <p role="status">{describeHits(hits)}</p>
      {hits.fault !== null && (
        <Button size="small" onClick={searchAgain}>
          Try again
        </Button>
      )}
    </div>
  );
}

function PaletteSearch(input: ComponentProps<"input">) {
  return (
    <div className="relative border-b">
      <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3 size-4 text-muted" />
      <input
        role="combobox"
        aria-label="Screen, project or command"
        aria-expanded={input["aria-expanded"]}
        aria-autocomplete="list"
        aria-controls={input["aria-controls"]}
        placeholder="Screen, project or command"
        {...input}
        className="h-11 w-full bg-transparent pr-3 pl-9 outline-none placeholder:text-muted pointer-coarse:text-lg"
      />
    </div>
  );
}

type PaletteOptionProps = {
  id: string;
  command: Command;
  isActive: boolean;
  onPoint: () => void;
  onRun: () => void;
};

function PaletteOption({ id, command, isActive, onPoint, onRun }: PaletteOptionProps) {
  const Icon = command.icon;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onRun}
      className={classNames(
        "flex h-9 cursor-pointer items-center gap-2.5 rounded-sm px-2 pointer-coarse:h-11",
        isActive && "bg-default",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="truncate">{command.label}</span>
      <span className="ml-auto text-xs whitespace-nowrap text-muted">{command.kind}</span>
    </div>
  );
}

/** How many answers a question gets. */
const MAX_ANSWERS = 6;

/** The permissions that a question such as "who can rotate keys" is about: each leads to who holds it. */
export function listQuestions(
  search: string,
  held: ShellPermissions | undefined,
  goTo: (href: string) => void,
): Command[] {
  const mayAsk = !held || held.organization.includes("api.role_assignments.read");
  const asked = listAskedWords(search);
  if (!mayAsk || !/^\s*who\b/i.test(search) || asked === "") return [];
  return Object.entries(permissionCatalogue)
    .filter(([name, sentence]) => asked === "who" || beginsWords(`${name} ${sentence}`, asked))
    .slice(0, MAX_ANSWERS)
    .map(([permission, sentence]) => ({
      id: `who-can-${permission}`,
      label: `Who can: ${sentence}`,
      kind: "Question",
      icon: CircleHelp,
      run: () => confirmLeave(() => goTo(paths.whoCan({ permission }))),
    }));
}
