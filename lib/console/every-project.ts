/** Stands for every project where one can be selected, also in the cookie. No project has this id. */
export const EVERY_PROJECT = "all";
