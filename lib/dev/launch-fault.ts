/** Why nothing can be started: each line names one fault and its mend. Shown as it is, without a stack. */
export class LaunchFault extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join("\n"));
  }
}
