export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Sends mail by the configured server, once it is written. Nobody waits for it, and it never throws: what fails is logged. */
export interface Mailer {
  send(mail: Mail | Promise<Mail>): void;
}
