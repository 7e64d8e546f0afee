"use client";

import { Download } from "lucide-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { findPermissions } from "@/app/(console)/roles/editor/find-permissions";
import { useRead } from "@/components/queries/reads/use-read";
import { ReadState } from "@/components/queries/states/read-state";
import { rolesRead } from "@/components/roles/member-reads";
import { listNames, listSections, type PermissionSection } from "@/components/roles/permission-groups";
import { listPredefinedRoles } from "@/components/roles/use-organization-roles";
import { Button } from "@/components/ui/button";
import { ChoiceSelect } from "@/components/ui/fields/choice-select";
import { useUrlParameter } from "@/components/ui/filters/use-address-filter";
import { PageHead } from "@/components/ui/page";
import { SearchBox } from "@/components/ui/search-box";
import { TableSkeleton } from "@/components/ui/states/skeleton";
import { downloadFile } from "@/components/ui/text/download-file";
import { countNouns } from "@/components/ui/values/group-digits";
import { permissions } from "@/lib/contract/access/permissions";
import type { Role } from "@/lib/contract/operations/people/roles";
import { useRoleHolders } from "../use-role-holders";
import { summarizeComparison, writeMatrixCsv } from "./compare-rights";
import { ClosedSection, type MatrixRoles, OpenSection } from "./matrix-cells";

/** All roles and resources in one table, two roles pinned beside each other. */
export function MatrixScreen() {
  const roles = useRead(...rolesRead);
  return (
    <ReadState read={roles} to="compare the roles" skeleton={<TableSkeleton rows={16} columns={8} />}>
      {({ data }) => <Matrix roles={[...data, ...listPredefinedRoles("api.project")]} />}
    </ReadState>
  );
}

function Matrix({ roles }: { roles: readonly Role[] }) {
  const [oneId, setOneId] = useUrlParameter("role");
  const [otherId, setOtherId] = useUrlParameter("with");
  const [only, setOnly] = useUrlParameter("only");
  const [search, setSearch] = useState("");
  const find = (id: string) => roles.find((role) => role.id === id);
  const [owner] = roles;
  const one = find(oneId) ?? find("role_admin") ?? owner;
  const other =
    find(otherId) ?? roles.find(({ id, predefined_role }) => !predefined_role && id !== one?.id) ?? owner;
  if (!one || !other) return null;
  const all = listSections([...new Set([...permissions, ...roles.flatMap((role) => role.permissions)])]);
  const names = all.flatMap(listNames);
  const { headline, sentence, differences } = summarizeComparison(names, one, other);
  const found = findPermissions(all, search);
  const isDifferent = (name: string) => one.permissions.includes(name) !== other.permissions.includes(name);
  const shown = only === "differences" ? keepResources(found, isDifferent) : found;
  const options = roles.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <>
      <PageHead
        title={headline}
        sentence={sentence}
        action={
          <Button onClick={() => downloadFile("roles.csv", "text/csv", writeMatrixCsv(names, roles))}>
            <Download aria-hidden />
            CSV
          </Button>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <span className="text-muted">Compare</span>
        <ChoiceSelect
          label="Compare"
          value={one.id}
          options={options}
          choose={setOneId}
          className="h-8 w-auto"
        />
        <span className="text-muted">with</span>
        <ChoiceSelect
          label="With"
          value={other.id}
          options={options}
          choose={setOtherId}
          className="h-8 w-auto"
        />
        <Button
          aria-pressed={only === "differences"}
          onClick={() => setOnly(only === "differences" ? "" : "differences")}
          className={only === "differences" ? "bg-default" : undefined}
        >
          Only differences
          <span className="rounded-full bg-default px-1.5 text-xs">{differences}</span>
        </Button>
        <SearchBox label="Find a permission" text={search} setText={setSearch} />
        <Legend />
      </div>
      <MatrixTable
        key={`${one.id} ${other.id}`}
        sections={shown}
        roles={{ one, other, rest: roles.filter((role) => role !== one && role !== other) }}
        isDifferent={isDifferent}
        isWhole={search !== ""}
        pin={(id) => id !== one.id && setOtherId(id)}
      />
    </>
  );
}

const keepResources = (sections: readonly PermissionSection[], isKept: (name: string) => boolean) =>
  sections
    .map((section) => ({
      ...section,
      resources: section.resources.filter(({ lines }) => lines.some(({ name }) => isKept(name))),
    }))
    .filter(({ resources }) => resources.length > 0);

type MatrixTableProps = {
  sections: readonly PermissionSection[];
  roles: MatrixRoles;
  isDifferent: (name: string) => boolean;
  /** Opens every section. */
  isWhole: boolean;
  pin: (roleId: string) => void;
};

function MatrixTable({ sections, roles, isDifferent, isWhole, pin }: MatrixTableProps) {
  const keys = useMatrixKeys(pin);
  /** Sections that somebody opened or closed: at first those are open in which the roles differ. */
  const [toggled, setToggled] = useState<Readonly<Record<string, boolean>>>({});
  const holders = useRoleHolders().data?.data;
  const heads = [roles.one, roles.other, ...roles.rest];
  const [oneHead, otherHead, ...restHeads] = heads.map((role) => (
    <th key={role.id} scope="col" className="min-w-20 px-1.5 py-1.5 text-center align-middle">
      <button
        type="button"
        onClick={() => pin(role.id)}
        title={`Compare ${role.name} with ${roles.one.name}`}
        className="w-full rounded-sm leading-tight font-semibold text-foreground hover:underline"
      >
        {role.name}
        {holders && role.resource_type === "api.organization" && (
          <span className="block text-xs font-normal text-muted">
            {describeHolders(holders.filter(({ role_id }) => role_id === role.id).length)}
          </span>
        )}
      </button>
    </th>
  ));
  return (
    <div className="max-h-[calc(100dvh-var(--above)-6rem)] overflow-auto rounded-md border bg-surface">
      <table {...keys} aria-label="Roles and permissions" className="w-full border-collapse text-sm">
        <thead className="sticky top-0 z-2 bg-background text-xs text-muted">
          <tr className="border-b">
            <th scope="col" className="sticky left-0 z-1 bg-background px-2 text-left font-normal">
              Resource
            </th>
            <th scope="col" className="max-sm:hidden">
              <span className="sr-only">Part</span>
            </th>
            {oneHead}
            {otherHead}
            <th scope="col" className="border-r px-2 text-left font-normal">
              Difference
            </th>
            {restHeads}
          </tr>
        </thead>
        <tbody>
          {sections.map((section) => {
            const { heading } = section;
            const isOpen =
              toggled[heading] ??
              (isWhole || section.resources.length === 1 || listNames(section).some(isDifferent));
            const toggle = () => setToggled({ ...toggled, [heading]: !isOpen });
            return isOpen ? (
              <OpenSection key={heading} section={section} roles={roles} close={toggle} />
            ) : (
              <ClosedSection key={heading} section={section} roles={roles} open={toggle} />
            );
          })}
        </tbody>
      </table>
      {sections.length === 0 && (
        <p className="px-3 py-6 text-center text-muted">
          {isWhole ? "No permission is about that." : "The two roles may do the same."}
        </p>
      )}
    </div>
  );
}

const describeHolders = (count: number) => countNouns(count, "holder");

function Legend() {
  const mark = "grid h-4 w-5.5 place-items-center rounded-sm text-xs";
  return (
    <p className="ml-auto flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-muted max-lg:hidden">
      <span className="flex items-center gap-1">
        <span className={`${mark} bg-default text-foreground`}>R</span>may read
      </span>
      <span className="flex items-center gap-1">
        <span className={`${mark} bg-default text-foreground`}>W</span>may change
      </span>
      <span className="flex items-center gap-1">
        <span className={`${mark} bg-accent font-semibold text-accent-foreground`}>W</span>only one of the two
      </span>
    </p>
  );
}

const CELL = "[data-matrix-cell]";

const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Arrows move from cell to cell, of which one is a tab stop; Home and End go to the row's ends, and C pins the role.
 */
function useMatrixKeys(pin: (roleId: string) => void) {
  const table = useRef<HTMLTableElement>(null);
  const listRows = () =>
    [...(table.current?.tBodies ?? [])]
      .flatMap((body) => [...body.rows])
      .map((row) => [...row.querySelectorAll<HTMLElement>(CELL)])
      .filter((cells) => cells.length > 0);

  // Always one tab stop, whatever is shown.
  useEffect(() => {
    const cells = listRows().flat();
    if (!cells.some((cell) => cell.tabIndex === 0)) cells[0]?.setAttribute("tabindex", "0");
  });

  function focus(cell: HTMLElement | undefined) {
    if (!cell) return;
    for (const one of listRows().flat()) one.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLTableElement>) {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>(CELL) : null;
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    const rows = listRows();
    const y = rows.findIndex((cells) => cells.includes(cell));
    const row = rows[y] ?? [];
    const x = row.indexOf(cell);
    const step = steps[event.key];
    if (event.key === "c" || event.key === "C") pin(cell.dataset.matrixCell ?? "");
    else if (event.key === "Home") focus(row[0]);
    else if (event.key === "End") focus(row.at(-1));
    else if (step) focus(rows[y + step[0]]?.[x + step[1]]);
    else return;
    event.preventDefault();
  }
  return { ref: table, onKeyDown };
}
