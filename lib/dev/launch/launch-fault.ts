/** Why nothing can be started: each line is one fault with its correction. Shown without a stack trace. */
export class LaunchFault extends Error {
  constructor(readonly lines: string[]) {
    super(lines.join("\n"));
  }
}
