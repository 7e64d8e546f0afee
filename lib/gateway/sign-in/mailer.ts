interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
}

/** Sends mail over the configured server. Returns at once and never throws: failures are logged. */
export interface Mailer {
  send(mail: Mail | Promise<Mail>): void;
}

export interface MailSettings {
  /** An `smtp:` or `smtps:` URL. */
  readonly server: string;
  readonly from: string;
}

/** Sends mail over SMTP (RFC 5321). The library is loaded with the first mail. */
export function createSmtpMailer(
  mail: MailSettings | null,
  logFault: (where: string, error: unknown) => void,
): Mailer | null {
  if (!mail) return null;
  return {
    send(message) {
      sendBy(mail, message).catch((error: unknown) => logFault("mail", error));
    },
  };
}

async function sendBy({ server, from }: MailSettings, message: Mail | Promise<Mail>): Promise<void> {
  const { createTransport } = await import("nodemailer");
  await createTransport(server).sendMail({ from, ...(await message) });
}
