export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Sends mail over the configured server. Returns at once and never throws: failures are logged. */
export interface Mailer {
  send(mail: Mail | Promise<Mail>): void;
}
