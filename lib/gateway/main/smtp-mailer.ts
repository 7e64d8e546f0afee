import type { Mail, Mailer } from "../sign-in/mailer";
import type { SignInSettings } from "./sign-in-settings";

/** Sends mail over SMTP (RFC 5321). The library is loaded with the first mail. */
export function createSmtpMailer(
  mail: SignInSettings["mail"],
  logFault: (where: string, error: unknown) => void,
): Mailer | null {
  if (!mail) return null;
  return {
    send(message) {
      sendBy(mail, message).catch((error: unknown) => logFault("mail", error));
    },
  };
}

async function sendBy(
  { server, from }: NonNullable<SignInSettings["mail"]>,
  message: Mail | Promise<Mail>,
): Promise<void> {
  const { createTransport } = await import("nodemailer");
  await createTransport(server).sendMail({ from, ...(await message) });
}
