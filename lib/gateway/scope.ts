/** Where a role, a spend limit or a spend alert counts: the id of a project or, with null, the whole organization. */
export type Scope = string | null;
