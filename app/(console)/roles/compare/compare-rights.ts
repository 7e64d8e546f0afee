import type { PermissionResource } from "@/components/roles/permission-groups";
import { writeCsvLine } from "@/lib/contract/csv";
import type { Role } from "@/lib/contract/operations/people/roles";

type Held = Pick<Role, "name" | "permissions">;

type Right = "read" | "write";
export const rights = ["read", "write"] as const;

/** The permission of a right to a resource; undefined if the resource has none. */
export const findRight = ({ lines }: PermissionResource, right: Right): string | undefined =>
  lines.find(({ name }) => name.endsWith(`.${right}`))?.name;

const verbs: Record<Right, string> = { read: "reads", write: "writes" };

/** Which rights only the first of two roles has: "reads, writes". */
function describeOnly(resource: PermissionResource, one: Held, other: Held): string {
  return rights
    .filter((right) => {
      const name = findRight(resource, right);
      return name !== undefined && one.permissions.includes(name) && !other.permissions.includes(name);
    })
    .map((right) => verbs[right])
    .join(", ");
}

interface RightsDifference {
  /** The role that alone has these rights. */
  readonly only: string;
  readonly verbs: string;
}

/** In what two roles differ at a resource, in words; empty if they are alike. */
export function describeDifference(resource: PermissionResource, one: Held, other: Held): RightsDifference[] {
  return [
    { only: one.name, verbs: describeOnly(resource, one, other) },
    { only: other.name, verbs: describeOnly(resource, other, one) },
  ].filter((difference) => difference.verbs !== "");
}

/** How a role's rights to a resource are read out: "may read", "may read and write", "nothing". */
export function describeRights(resource: PermissionResource, { permissions }: Held): string {
  const held = rights.filter((right) => permissions.includes(findRight(resource, right) ?? ""));
  return held.length === 0 ? "nothing" : `may ${held.join(" and ")}`;
}

/** The headline of a comparison, and what stands below it. */
export function summarizeComparison(names: readonly string[], one: Held, other: Held) {
  const countOnly = (role: Held, rest: Held) =>
    names.filter((name) => role.permissions.includes(name) && !rest.permissions.includes(name)).length;
  const [ofOne, ofOther] = [countOnly(one, other), countOnly(other, one)];
  const shared = names.filter(
    (name) => one.permissions.includes(name) && other.permissions.includes(name),
  ).length;
  const [more, less, mores, lesses] =
    ofOne >= ofOther ? [one, other, ofOne, ofOther] : [other, one, ofOther, ofOne];
  const things = (count: number) => (count === 1 ? "1 thing" : `${count} things`);
  return {
    differences: ofOne + ofOther,
    headline:
      mores === 0
        ? `${one.name} and ${other.name} may do the same`
        : `${more.name} may do ${things(mores)} that ${less.name} may not`,
    sentence: `They share ${shared} of ${names.length} permissions. ${lesses === 0 ? "Nothing" : things(lesses)} ${lesses > 1 ? "are" : "is"} allowed to ${less.name} alone.`,
  };
}

/** The whole matrix: a line for each permission, a column for each role. */
export function writeMatrixCsv(names: readonly string[], roles: readonly Held[]): string {
  const lines = names.map((name) => [
    name,
    ...roles.map(({ permissions }) => (permissions.includes(name) ? "yes" : "no")),
  ]);
  return [["permission", ...roles.map(({ name }) => name)], ...lines].map(writeCsvLine).join("");
}
