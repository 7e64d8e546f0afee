import { accessSync, constants, mkdirSync } from "node:fs";
import { describePathFault } from "@/lib/durability/sync-path";
import { loadSecret, SecretError } from "@/lib/secret/load-secret";
import { DataFolderInUse } from "./database/data-folder/open-store-file";
import { SealBrokenError } from "./database/seal";
import { StoreFault } from "./database/store-head";
import { type HttpServer, startServer } from "./http/server";
import { FOLLOW_MS } from "./main/background/run-maintenance";
import { FaultLog } from "./main/fault-log";
import { type FirstStart, makeSignInLink } from "./main/first-start";
import { machineRuntime, machineTimers } from "./main/machine-runtime";
import { type OpenGateway, openGateway } from "./main/open-gateway";
import { readSettings, type Settings } from "./main/settings/environment";
import { ConfigurationFault, loadConfiguration } from "./main/settings/load-configuration";
import { stopServing } from "./main/stop-serving";
import { deriveCallbackSecret } from "./tasks/callbacks/post-callback";

const faultLog = new FaultLog(machineRuntime.clock, (line) => console.error(line));
const logFault = (where: string, error: unknown) => faultLog.log(where, error);

if (process.argv[2] === "sign-in-link") await printSignInLink(readSettingsOrExit());
else if (process.argv[2] === "callback-secret") printCallbackSecret(readSettingsOrExit());
else await serve(readSettingsOrExit());

async function serve(settings: Settings): Promise<void> {
  refuseUnusablePaths(settings);
  const gateway = await openGateway({
    ...settings,
    secret: readSecret(settings),
    runtime: machineRuntime,
    followMs: FOLLOW_MS,
    environment: process.env,
    logFault,
  }).catch((error: unknown) => exitWith(startFaults(error, settings)));
  const server = listen(settings, gateway);
  announce(settings, server.url.origin, gateway.firstStart);
  const stop = async () => {
    await stopServing({ server, gateway }, settings.stopTimes, machineTimers);
    process.exit(0);
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
}

function listen(settings: Settings, gateway: OpenGateway): HttpServer {
  const { host, port } = settings;
  try {
    return startServer({ hostname: host, port, answer: gateway.fetch, logFault });
  } catch (error) {
    if (!hasCode(error, "EADDRINUSE")) throw error;
    return exitWith([`Port ${port} is in use: stop what listens there, or set GATEWAY_PORT to a free one.`]);
  }
}

/** Reports the start: to the parent process, which `npm start` is, or on the console. */
function announce({ dataFolder, port }: Settings, url: string, firstStart: FirstStart | null): void {
  const { adminKey = null, signInToken } = firstStart ?? {};
  if (process.send) {
    process.send({ type: "ready", url, data: dataFolder, ...(adminKey && { adminKey }), signInToken });
    return;
  }
  console.log(`The gateway answers at ${url}/v1 (port ${port}, data in ${dataFolder}).`);
  if (adminKey) console.log(`The first admin key, shown this once: ${adminKey}`);
  else if (signInToken) {
    console.log(
      `Nobody has got in yet: open /sign-in#token=${signInToken} at the console's address (works once, within an hour).`,
    );
  }
}

async function printSignInLink(settings: Settings): Promise<void> {
  const { dataFolder, databaseUrl, signIn } = settings;
  const link = await makeSignInLink(settings, signIn.consoleUrl, machineRuntime).catch((error: unknown) =>
    exitWith(startFaults(error, settings)),
  );
  if (link === null)
    exitWith([
      `There is no admin key in ${databaseUrl === null ? dataFolder : "PostgreSQL"} yet: start Gatehouse first.`,
    ]);
  console.log(link);
}

/** Prints the secret that receivers of callbacks verify signatures with. */
function printCallbackSecret(settings: Settings): void {
  console.log(deriveCallbackSecret(readSecret(settings)).reveal());
}

function readSettingsOrExit(): Settings {
  const settingsResult = readSettings(process.env);
  return "faults" in settingsResult ? exitWith(settingsResult.faults) : settingsResult.settings;
}

/** Names everything that is wrong with the data folder and the configuration file at once. */
function refuseUnusablePaths(settings: Settings): void {
  const lines = [
    () => makeDataFolder(settings),
    () => void loadConfiguration({ ...settings, environment: process.env }),
  ];
  const faults = lines.flatMap((use) => {
    try {
      use();
      return [];
    } catch (error) {
      return startFaults(error, settings);
    }
  });
  if (faults.length > 0) exitWith(faults);
}

function makeDataFolder({ dataFolder }: Settings): void {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  accessSync(dataFolder, constants.R_OK | constants.W_OK | constants.X_OK);
}

function readSecret({ secret, dataFolder }: Settings): Buffer {
  try {
    return loadSecret({ configured: secret ?? undefined, dataFolder });
  } catch (error) {
    return exitWith(startFaults(error, { dataFolder }));
  }
}

function startFaults(error: unknown, { dataFolder }: Pick<Settings, "dataFolder">): readonly string[] {
  if (error instanceof ConfigurationFault) return error.faults;
  const isPlain =
    error instanceof DataFolderInUse ||
    error instanceof SecretError ||
    error instanceof SealBrokenError ||
    error instanceof StoreFault;
  if (isPlain) return [error.message];
  const pathFault = describePathFault(error, {
    path: dataFolder,
    other: "set GATEHOUSE_DATA to another folder",
  });
  if (pathFault !== null) return [pathFault];
  if (String(error).includes("database is locked"))
    return [
      `Another program has locked the database in ${dataFolder}: end what has it open, then start again.`,
    ];
  throw error;
}

function exitWith(lines: readonly string[]): never {
  if (process.send) process.send({ type: "fault", lines });
  else for (const line of lines) console.error(line);
  process.exit(1);
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
