import { ChevronDown, ChevronRight } from "lucide-react";
import {
  listNames,
  type PermissionResource,
  type PermissionSection,
} from "@/components/roles/permission-groups";
import { classNames } from "@/components/ui/class-names";
import { ConsoleLink } from "@/components/ui/links/console-link";
import { paths } from "@/lib/console/paths";
import type { Role } from "@/lib/contract/operations/people/roles";
import { buildSectionId } from "../editor/permission-contents";
import { describeDifference, describeRights, findRight, rights } from "./compare-rights";

/** The roles of the columns: the two pinned ones first. */
export type MatrixRoles = { readonly one: Role; readonly other: Role; readonly rest: readonly Role[] };

const pinned = "bg-accent/5";

/** A section in one line: how many of its permissions each role has. */
export function ClosedSection({
  section,
  roles: { one, other, rest },
  open,
}: {
  section: PermissionSection;
  roles: MatrixRoles;
  open: () => void;
}) {
  const names = listNames(section);
  const isAlike = names.every((name) => one.permissions.includes(name) === other.permissions.includes(name));
  const total = (role: Role) => {
    const count = names.filter((name) => role.permissions.includes(name)).length;
    return count === names.length ? `all ${count}` : count === 0 ? "none" : `${count} of ${names.length}`;
  };
  const { resources } = section;
  return (
    <tr className="border-t text-muted">
      <th scope="row" className="sticky left-0 z-1 bg-surface pr-2 text-left font-normal">
        <Toggle heading={section.heading} isOpen={false} toggle={open} />
      </th>
      <td className="px-2 max-sm:hidden">
        {resources.length} {resources.length === 1 ? "resource" : "resources"}
      </td>
      <td className={classNames(pinned, "border-l text-center")}>{total(one)}</td>
      <td className={classNames(pinned, "text-center")}>{total(other)}</td>
      <td className={classNames(pinned, "border-r px-2")}>{isAlike ? "alike" : "different"}</td>
      {rest.map((role) => (
        <td key={role.id} className="text-center">
          {total(role)}
        </td>
      ))}
    </tr>
  );
}

/** The resources of a section, a line each. */
export function OpenSection({
  section,
  roles,
  close,
}: {
  section: PermissionSection;
  roles: MatrixRoles;
  close: () => void;
}) {
  const toggle = <Toggle heading={section.heading} isOpen toggle={close} />;
  return (
    <>
      <tr className="border-t sm:hidden">
        <td colSpan={3} className="sticky left-0 bg-surface">
          {toggle}
        </td>
      </tr>
      {section.resources.map((resource, index) => (
        <ResourceRow
          key={resource.heading}
          resource={resource}
          section={section.heading}
          roles={roles}
          heading={index === 0 ? toggle : null}
        />
      ))}
    </>
  );
}

function Toggle({ heading, isOpen, toggle }: { heading: string; isOpen: boolean; toggle: () => void }) {
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={toggle}
      className="inline-flex items-center gap-1 font-semibold whitespace-nowrap text-foreground"
    >
      <Icon aria-hidden className="size-3.5" />
      {heading}
    </button>
  );
}

type ResourceRowProps = {
  resource: PermissionResource;
  section: string;
  roles: MatrixRoles;
  heading: React.ReactNode;
};

function ResourceRow({ resource, section, roles: { one, other, rest }, heading }: ResourceRowProps) {
  const differences = describeDifference(resource, one, other);
  const cell = (role: Role, beside?: Role) => (
    <RightsCell role={role} resource={resource} section={section} beside={beside} />
  );
  return (
    <tr className={heading ? "sm:border-t" : undefined}>
      <td className="sticky left-0 z-1 bg-surface pr-2 max-sm:hidden">{heading}</td>
      <th
        scope="row"
        className={classNames(
          "px-2 text-left max-sm:sticky max-sm:left-0 max-sm:z-1 max-sm:bg-surface max-sm:pl-5 sm:whitespace-nowrap",
          differences.length > 0 ? "font-semibold" : "font-normal",
        )}
      >
        {resource.heading}
      </th>
      <td className={classNames(pinned, "border-l")}>{cell(one, other)}</td>
      <td className={pinned}>{cell(other, one)}</td>
      <td className={classNames(pinned, "border-r px-2 text-xs whitespace-nowrap")}>
        {differences.length === 0 && <span className="text-muted">alike</span>}
        {differences.map(({ only, verbs }) => (
          <span key={only} className="mr-2">
            <span className="font-semibold text-accent-text">only {only}</span>{" "}
            <span className="text-muted">{verbs}</span>
          </span>
        ))}
      </td>
      {rest.map((role) => (
        <td key={role.id}>{cell(role)}</td>
      ))}
    </tr>
  );
}

type RightsCellProps = {
  role: Role;
  resource: PermissionResource;
  section: string;
  /** The role that it is compared with. */
  beside: Role | undefined;
};

/** R and W at fixed places. Leads to the section in the role's editor; one of them is a tab stop. */
function RightsCell({ role, resource, section, beside }: RightsCellProps) {
  return (
    <ConsoleLink
      href={`${paths.role(role.id)}#${buildSectionId(section)}`}
      data-matrix-cell={role.id}
      tabIndex={-1}
      aria-label={`${role.name}, ${resource.heading}: ${describeRights(resource, role)}`}
      className="flex h-5.5 items-center justify-center gap-0.5 rounded-sm hover:bg-default-soft focus-visible:-outline-offset-1"
    >
      {rights.map((right) => (
        <RightMark key={right} name={findRight(resource, right)} role={role} beside={beside} />
      ))}
    </ConsoleLink>
  );
}

function RightMark({
  name,
  role,
  beside,
}: {
  name: string | undefined;
  role: Role;
  beside: Role | undefined;
}) {
  const isHeld = name !== undefined && role.permissions.includes(name);
  const isBeside = name !== undefined && (beside?.permissions.includes(name) ?? false);
  const style =
    name === undefined
      ? ""
      : isHeld
        ? beside && !isBeside
          ? "bg-accent font-semibold text-accent-foreground"
          : "bg-default"
        : beside && isBeside
          ? "border border-dashed border-field-border"
          : "text-muted";
  return (
    <span aria-hidden className={classNames("grid h-4 w-5.5 place-items-center rounded-sm text-xs", style)}>
      {name !== undefined &&
        (isHeld ? (name.endsWith(".read") ? "R" : "W") : beside && isBeside ? null : "·")}
    </span>
  );
}
