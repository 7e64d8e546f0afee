/** As much of Node 22's module as tests use; Bun has it, the types of the oldest Node supported don't. */
declare module "node:sqlite" {
  export class DatabaseSync implements Disposable {
    constructor(path: string, options?: { readOnly?: boolean });
    function(name: string, run: () => number): void;
    prepare(sql: string): { all(...parameters: (string | number | null)[]): unknown[] };
    [Symbol.dispose](): void;
  }
}
