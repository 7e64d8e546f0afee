import type { Mailer } from "../sign-in/mailer";
import type { SignInSettings } from "./sign-in-settings";

/** Mail over SMTP (RFC 5321), by a library that is loaded with the first mail. */
export function createSmtpMailer(
  mail: SignInSettings["mail"],
  logFault: (where: string, error: unknown) => void,
): Mailer | null {
  if (!mail) return null;
  return {
    send(message) {
      const sent = import("nodemailer").then(({ createTransport }) =>
        createTransport(mail.server).sendMail({ from: mail.from, ...message }),
      );
      sent.catch((error: unknown) => logFault("mail", error));
    },
  };
}
