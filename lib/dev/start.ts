import { join } from "node:path";
import { buildConsole, isBuildCurrent } from "@/lib/dev/build/build-console";
import { findDataFolderFault, findPortFault } from "@/lib/dev/launch/find-start-fault";
import {
  describeFirstKey,
  describeRunning,
  type Launch,
  launch,
  type RunningService,
  signInUrl,
} from "@/lib/dev/launch/launch";
import { type LaunchSettings, readLaunchSettings } from "@/lib/dev/launch/launch-settings";
import { LaunchFault, type Program } from "@/lib/dev/launch/program";
import { addressToOpen, startConsole } from "@/lib/dev/launch/start-console";
import { type GatewayReady, startGateway } from "@/lib/dev/launch/start-gateway";
import { showStep } from "@/lib/dev/run-program";
import { describePathFault } from "@/lib/durability/sync-path";
import { loadSecret, SecretError } from "@/lib/secret/load-secret";

// --watch: both programs follow the sources. --console: the console alone, for a gateway already running.
// --built: the console's build is used as it is.
const watching = process.argv.includes("--watch");
const consoleAlone = process.argv.includes("--console");
const isBuilt = watching || process.argv.includes("--built");

process.exit(await launch(start));

async function start({ run, unlessStopped }: Launch): Promise<void> {
  const settings = readLaunchSettings(process.env);
  const withGateway = !settings.gatewayUrl && !consoleAlone;
  await refuseWhatCannotStart(settings, withGateway);
  const secret = readSecret(settings.dataFolder);
  const programs: Program[] = [];
  let isRunning = false;
  const runShown: Launch["run"] = (begin) =>
    run(() => {
      const startedProgram = begin();
      if (watching || isRunning) showOutput(startedProgram.program);
      else programs.push(startedProgram.program);
      return startedProgram;
    });

  let gateway: GatewayReady | null = null;
  if (withGateway) {
    const env = gatewayEnvironment(settings, secret);
    gateway = await showStep("Starting the gateway", "The gateway answers", () =>
      runShown(() => startGateway(env, watching ? ["--watch"] : [])),
    );
    // Shown at once, since whoever ends the build would never see it.
    for (const line of describeFirstKey(gateway)) console.log(line);
  }
  if (!isBuilt && !(await isBuildCurrent())) {
    await showStep("Building the console", "The console is built", () => unlessStopped(buildConsole()));
  }
  const mode = watching ? "dev" : "start";
  const consoleUrl = await showStep("Starting the console", "The console answers", () =>
    runShown(() => startConsole({ ...settings, mode, secret })),
  );
  for (const program of programs) showOutput(program);
  isRunning = true;
  const gatewayUrl = settings.gatewayUrl ?? addressToOpen(settings.host, settings.gatewayPort);
  announce({ consoleUrl: settings.consoleUrl ?? consoleUrl, gatewayUrl, gateway });
}

/** Checked before the build, which takes the longest. */
async function refuseWhatCannotStart(settings: LaunchSettings, withGateway: boolean): Promise<void> {
  const { host, consolePort, gatewayPort, dataFolder } = settings;
  const faults = await Promise.all([
    findPortFault("PORT", host, consolePort),
    withGateway ? findPortFault("GATEWAY_PORT", host, gatewayPort) : null,
    findDataFolderFault(dataFolder),
  ]);
  const lines = faults.filter((fault) => fault !== null);
  if (lines.length > 0) throw new LaunchFault(lines);
}

function readSecret(dataFolder: string): string {
  try {
    return loadSecret({ configured: process.env.GATEHOUSE_SECRET, dataFolder }).toString("base64");
  } catch (error) {
    const path = join(dataFolder, "secret");
    const line =
      error instanceof SecretError
        ? error.message
        : describePathFault(error, { path, other: "set GATEHOUSE_SECRET" });
    throw line === null ? error : new LaunchFault([line]);
  }
}

function gatewayEnvironment({ host, gatewayPort, dataFolder }: LaunchSettings, secret: string) {
  return {
    ...process.env,
    HOST: host,
    GATEWAY_PORT: String(gatewayPort),
    GATEHOUSE_DATA: dataFolder,
    GATEHOUSE_SECRET: secret,
  };
}

function showOutput(program: Program): void {
  program.showOutput((line) => console.log(`${program.name} │ ${line}`));
}

/** Reports to the user, and to a parent process if there is one. */
function announce(service: RunningService): void {
  for (const line of describeRunning(service)) console.log(line);
  process.send?.({
    type: "ready",
    consoleUrl: service.consoleUrl,
    baseUrl: `${service.gatewayUrl}/v1`,
    signInUrl: signInUrl(service),
    adminKey: service.gateway?.adminKey,
  });
}
