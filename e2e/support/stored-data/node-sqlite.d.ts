/** The part of Node 22's module that tests use. Bun supports it; the types of the oldest supported Node.js lack it. */
declare module "node:sqlite" {
  export class DatabaseSync implements Disposable {
    constructor(path: string, options?: { readOnly?: boolean });
    function(name: string, run: () => number): void;
    prepare(sql: string): { all(...parameters: (string | number | null)[]): unknown[] };
    [Symbol.dispose](): void;
  }
}
