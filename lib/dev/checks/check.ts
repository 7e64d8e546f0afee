export type CheckResult = {
  /** Lines to show when the check is red. */
  faults: string;
  passed: boolean;
  filesRead: number;
};

export type Check = {
  name: string;
  /** Whether this check must read the file; verify fails a check that read fewer files than these. */
  covers: (path: string) => boolean;
  run: (covered: string[]) => Promise<CheckResult>;
};
