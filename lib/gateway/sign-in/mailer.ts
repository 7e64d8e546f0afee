export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Sends mail by the configured server. Never waits and never throws: what fails is logged. */
export interface Mailer {
  send(mail: Mail): void;
}
