import type { MailSettings } from "../../sign-in/mailer";
import { isOnThisMachine, type OpenIdSettings } from "../../sign-in/openid-provider";

/** The ways to sign in besides passwords, and the mail server. */
export interface SignInSettings {
  /** The console's address, without a trailing slash, for links in mails and the OpenID redirect. */
  readonly consoleUrl: string;
  readonly openIdProvider: OpenIdSettings | null;
  readonly mail: MailSettings | null;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Fault = (text: string) => void;

/** Reads the settings from the environment. Each fault includes its correction. */
export function readSignInSettings(environment: Environment, fault: Fault): SignInSettings {
  return {
    consoleUrl: readConsoleUrl(environment, fault),
    openIdProvider: readOpenIdProvider(environment, fault),
    mail: readMail(environment, fault),
  };
}

function readConsoleUrl(environment: Environment, fault: Fault): string {
  const usual = `http://${environment.HOST || "127.0.0.1"}:${environment.PORT || "3000"}`;
  const consoleUrl = environment.CONSOLE_URL;
  if (!consoleUrl) return usual;
  if (isHttp(consoleUrl)) return consoleUrl.replace(/\/+$/, "");
  fault(
    `CONSOLE_URL is "${consoleUrl}": set it to the address people open, such as https://console.example.com.`,
  );
  return usual;
}

function readOpenIdProvider(environment: Environment, fault: Fault): OpenIdSettings | null {
  const issuer = environment.GATEHOUSE_OIDC_ISSUER;
  const clientId = environment.GATEHOUSE_OIDC_CLIENT_ID;
  const clientSecret = environment.GATEHOUSE_OIDC_CLIENT_SECRET;
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret) {
    fault(
      "Single sign-on needs all three of GATEHOUSE_OIDC_ISSUER, GATEHOUSE_OIDC_CLIENT_ID and GATEHOUSE_OIDC_CLIENT_SECRET.",
    );
    return null;
  }
  if (!isHttp(issuer)) {
    fault(
      `GATEHOUSE_OIDC_ISSUER is "${issuer}": set it to the provider's issuer, such as https://login.example.com.`,
    );
    return null;
  }
  if (!issuer.startsWith("https:") && !isOnThisMachine(issuer)) {
    fault(
      `GATEHOUSE_OIDC_ISSUER is "${issuer}": set it to an address with https, since anybody on the way could sign in as somebody else.`,
    );
    return null;
  }
  return { issuer, clientId, clientSecret, name: environment.GATEHOUSE_OIDC_NAME || new URL(issuer).host };
}

function readMail(environment: Environment, fault: Fault): SignInSettings["mail"] {
  const server = environment.GATEHOUSE_SMTP_URL;
  if (!server) return null;
  const from = environment.GATEHOUSE_MAIL_FROM;
  if (!URL.canParse(server) || !/^smtps?:$/.test(new URL(server).protocol)) {
    fault("GATEHOUSE_SMTP_URL is not a mail server: set it to smtp://user:password@host:587 or smtps://….");
    return null;
  }
  if (!from?.includes("@")) {
    fault("GATEHOUSE_MAIL_FROM is missing: set it to the address that mail is sent from.");
    return null;
  }
  return { server, from };
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
