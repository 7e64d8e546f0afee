export type CheckResult = {
  /** The lines to show when the check fails. */
  faults: string;
  passed: boolean;
  filesRead: number;
};

export type Check = {
  name: string;
  /** Whether this check must read the file; verify fails a check that read fewer files. */
  covers: (path: string) => boolean;
  run: (covered: string[]) => Promise<CheckResult>;
};
