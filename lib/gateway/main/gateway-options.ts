import type { TrustedProxies } from "@/lib/client-address/trusted-proxies";
import type { Nano } from "@/lib/money/amount";
import type { ClockAndRandom } from "../clock";
import type { CallbackTarget } from "../tasks/callbacks/post-callback";
import type { TelemetrySettings } from "./settings/environment";
import type { SignInSettings } from "./settings/sign-in-settings";

export interface GatewayOptions extends StoreOptions {
  readonly configFile: string | null;
  readonly maxConcurrentRequests: number;
  /** The maximum number of requests per network address whose bodies take longer than a second to arrive. */
  readonly maxSlowRequestsPerAddress: number;
  /** Hosts that any provider may have at a private address. */
  readonly providerHosts: readonly string[];
  /** Hosts that callbacks may use at private addresses and without encryption. */
  readonly callbackHosts: readonly string[];
  /** The receiver of spend alerts; null for none. */
  readonly alertTarget: CallbackTarget | null;
  readonly signIn: SignInSettings;
  /** The proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: TrustedProxies;
  readonly telemetry: TelemetrySettings;
  /** The interval of checks for other processes' changes, in milliseconds; null: never. */
  readonly followMs: number | null;
  /** The variables for `${NAME}` in the configuration file. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface StoreOptions {
  readonly dataFolder: string;
  /** The address of a PostgreSQL database; absent or null for the embedded database in the data folder. */
  readonly databaseUrl?: string | null;
  /** 32 bytes. */
  readonly secret: Uint8Array;
  readonly adminKey: string | null;
  readonly openingBalance: Nano;
  readonly runtime: ClockAndRandom;
  readonly logFault: (where: string, error: unknown) => void;
}
