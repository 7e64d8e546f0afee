import { permissionGroups } from "./permission-groups";

/** The permissions as choices, found by their sentences and by their names. */
export const permissionOptions = permissionGroups.flatMap(({ options }) =>
  options.map(({ value, sentence }) => ({ value, label: sentence, note: value })),
);
