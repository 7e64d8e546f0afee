/** Returns a parameter of the address, or "" if it is absent. */
export type FindInAddress = (name: string) => string;

/** The query of an address as a page gets it on the server. */
export type PageQuery = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the address on the server as `useSearchParams` does in the browser: the first of a repeated parameter. */
export function findInQuery(query: PageQuery): FindInAddress {
  return (name) => [query[name]].flat()[0] ?? "";
}
