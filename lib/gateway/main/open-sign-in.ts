import { HOUR_MS } from "@/lib/contract/durations";
import { type ChangeContext, systemChange } from "../changes/change";
import { ATTEMPTS_KEPT_MS, Attempts } from "../sign-in/attempts";
import { DEVICES_KEPT_MS } from "../sign-in/devices";
import { createSmtpMailer } from "../sign-in/mailer";
import { OpenIdProvider } from "../sign-in/openid-provider";
import type { StoreOptions } from "./gateway-options";
import type { Stores } from "./open-stores";
import type { SignInSettings } from "./settings/sign-in-settings";

/** Opens the parts of sign-in other than the stores. */
export function openSignIn(
  { signIn, runtime, logFault }: StoreOptions & { signIn: SignInSettings },
  stores: Stores,
  context: ChangeContext,
) {
  const { consoleUrl, openIdProvider: settings, mail } = signIn;
  return {
    consoleUrl,
    openIdProvider: settings && new OpenIdProvider(settings, `${consoleUrl}/sign-in/answer`, runtime.clock),
    mailer: createSmtpMailer(mail, logFault),
    attempts: new Attempts(stores.signInAttempts, { ...context, runtime }),
  };
}

/** Much longer than a code is valid, which is a minute and a half. */
const USED_CODES_KEPT_MS = HOUR_MS;

/** Deletes expired attempts, devices and used codes. */
export function forgetOldSignIns(
  { signInAttempts, devices, usedCodes }: Stores,
  context: ChangeContext,
  nowMs: number,
): Promise<void> {
  return systemChange(context, "sign-in bookkeeping", async (transaction) => {
    await signInAttempts.prune(transaction, nowMs - ATTEMPTS_KEPT_MS);
    await devices.prune(transaction, nowMs - DEVICES_KEPT_MS);
    await usedCodes.prune(transaction, nowMs - USED_CODES_KEPT_MS);
  });
}
