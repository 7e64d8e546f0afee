// Safe for the browser: no imports.

/** Stands for every project where one can be selected. No project has this id. */
export const EVERY_PROJECT = "all";
