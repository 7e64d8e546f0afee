import { Lock, Minus, Plus } from "lucide-react";
import { useId } from "react";
import {
  listNames,
  type PermissionLine,
  type PermissionResource,
  type PermissionSection,
} from "@/components/roles/permission-groups";
import { classNames } from "@/components/ui/class-names";
import type { PermissionDraft } from "./compare-draft";

type PermissionRowsProps = { id: string; section: PermissionSection; draft: PermissionDraft };

/** A section of the list: its resources, each with its level and its permissions. */
export function PermissionRows({ id, section, draft }: PermissionRowsProps) {
  const names = listNames(section);
  const count = names.filter((name) => draft.chosen.includes(name)).length;
  return (
    <section id={id} aria-label={section.heading} className="scroll-mt-[calc(var(--top-bar)+3.75rem)]">
      <h2 className="-mx-4 flex items-center gap-2 bg-default-soft px-4 py-1 text-sm font-semibold sm:-mx-5 sm:px-5">
        {section.heading}
        <span className="font-normal text-muted">
          {count} of {names.length}
        </span>
      </h2>
      {section.resources.map((resource) => (
        <Resource key={resource.heading} resource={resource} draft={draft} />
      ))}
    </section>
  );
}

function Resource({ resource, draft }: { resource: PermissionResource; draft: PermissionDraft }) {
  return (
    <div role="group" aria-label={resource.heading} className="pb-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pt-3 pb-1">
        <h3 className="font-semibold">{resource.heading}</h3>
        <LevelChoice resource={resource} draft={draft} />
      </div>
      {resource.lines.map((line) => (
        <Line key={line.name} line={line} draft={draft} />
      ))}
    </div>
  );
}

function LevelChoice({ resource, draft }: { resource: PermissionResource; draft: PermissionDraft }) {
  const name = useId();
  const level = findLevel(resource, draft.chosen);
  const names = resource.lines.map((line) => line.name);
  const isLocked = names.some(draft.lacks);
  return (
    <div
      role="radiogroup"
      aria-label={`Access to ${resource.heading}`}
      className="inline-flex overflow-hidden rounded-md border text-xs"
    >
      {listLevels(resource).map((one, index) => (
        <label
          key={one.level}
          className={classNames(
            "relative cursor-pointer px-2 py-1 has-disabled:cursor-not-allowed has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent pointer-coarse:py-3",
            index > 0 && "border-l",
            level === one.level ? "bg-default font-semibold" : "text-muted hover:bg-default-soft",
          )}
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 size-full appearance-none opacity-0"
            checked={level === one.level}
            disabled={isLocked}
            onChange={() => {
              const wanted = listNamesAt(resource, one.level);
              draft.replace([...draft.chosen.filter((held) => !names.includes(held)), ...wanted]);
            }}
          />
          {one.label}
        </label>
      ))}
    </div>
  );
}

function Line({ line: { name, sentence }, draft }: { line: PermissionLine; draft: PermissionDraft }) {
  const id = useId();
  const isChosen = draft.chosen.includes(name);
  const isChanged = isChosen !== draft.saved.includes(name);
  const isLacked = draft.lacks(name);
  return (
    <div
      className={classNames(
        "-mx-2.5 grid grid-cols-[1.75rem_minmax(0,1fr)_auto] items-start gap-x-3 rounded-md px-2.5 py-1.5 pointer-coarse:py-3",
        isChanged && (isChosen ? "bg-success-soft" : "bg-danger-soft"),
      )}
    >
      <span className="flex h-5 items-center">
        <input
          id={id}
          type="checkbox"
          className="switch"
          checked={isChosen}
          disabled={isLacked}
          onChange={({ target }) => draft.change([name], target.checked)}
        />
      </span>
      <label htmlFor={id} className={classNames("min-w-0", !isLacked && "cursor-pointer")}>
        <span className="block text-pretty">{sentence}</span>
        <code className="block font-mono text-xs break-all text-muted">{name}</code>
        {isLacked && (
          <span className="flex items-center gap-1 text-xs text-muted">
            <Lock aria-hidden className="size-3" />
            You don’t hold this yourself, so you can neither give nor take it.
          </span>
        )}
      </label>
      {isChanged && (
        <span
          className={classNames(
            "inline-flex items-center gap-1 text-xs whitespace-nowrap",
            isChosen ? "text-success" : "text-danger",
          )}
        >
          {isChosen ? <Plus aria-hidden className="size-3" /> : <Minus aria-hidden className="size-3" />}
          {isChosen ? "added" : "removed"}
        </span>
      )}
    </div>
  );
}

type AccessLevel = "none" | "read" | "write";

const isWrite = (name: string) => name.endsWith(".write");

/** The levels that a resource has, with their labels. Some resources can only be read, or only written. */
export function listLevels({ lines }: PermissionResource): { level: AccessLevel; label: string }[] {
  const hasWrite = lines.some(({ name }) => isWrite(name));
  const hasRead = lines.some(({ name }) => !isWrite(name));
  return [
    { level: "none", label: "None" },
    ...(hasRead ? [{ level: "read" as const, label: "Read" }] : []),
    ...(hasWrite ? [{ level: "write" as const, label: hasRead ? "Read and write" : "Write" }] : []),
  ];
}

/** The permissions of a level: all of the resource's for "write". */
export function listNamesAt({ lines }: PermissionResource, level: AccessLevel): string[] {
  const names = lines.map(({ name }) => name);
  if (level === "none") return [];
  return level === "write" ? names : names.filter((name) => !isWrite(name));
}

/** The level that these permissions make; null where none does, such as writing without reading. */
export function findLevel(resource: PermissionResource, held: readonly string[]): AccessLevel | null {
  const own = resource.lines.map(({ name }) => name).filter((name) => held.includes(name));
  const found = listLevels(resource).find(({ level }) => {
    const names = listNamesAt(resource, level);
    return names.length === own.length && names.every((name) => own.includes(name));
  });
  return found?.level ?? null;
}
