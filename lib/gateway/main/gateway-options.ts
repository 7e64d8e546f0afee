import type { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import type { CallbackTarget } from "../callbacks/callback-target";
import type { StoreOptions } from "./open-stores";
import type { SignInSettings } from "./settings/sign-in-settings";
import type { TelemetrySettings } from "./settings/telemetry-settings";

export interface GatewayOptions extends StoreOptions {
  readonly configFile: string | null;
  readonly maxConcurrentRequests: number;
  /** The most requests of one network address whose bodies may take longer than a second to arrive. */
  readonly maxSlowRequestsPerAddress: number;
  /** Hosts that providers may have at private addresses, whoever adds them. */
  readonly providerHosts: readonly string[];
  /** Hosts that callbacks may go to at private addresses, and without encryption. */
  readonly callbackHosts: readonly string[];
  /** Where spend alerts are delivered; null where nowhere. */
  readonly alertTarget: CallbackTarget | null;
  readonly signIn: SignInSettings;
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: TrustedProxies;
  readonly telemetry: TelemetrySettings;
  /** How often to look for changes by other processes, in milliseconds; null: never. */
  readonly followMs: number | null;
  /** What `${NAME}` in the configuration file stands for. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}
