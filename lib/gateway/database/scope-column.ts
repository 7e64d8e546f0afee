import type { Scope } from "../scope";

/** The value of a column `scope` for the organization, which a primary key can't hold as null. */
const ORGANIZATION = "organization";

export const writeScope = (scope: Scope): string => scope ?? ORGANIZATION;

export const readScope = (column: string): Scope => (column === ORGANIZATION ? null : column);
