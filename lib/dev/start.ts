import { buildConsole, isBuildCurrent } from "@/lib/dev/build-console";
import { describeRunning, type Running, signInUrl } from "@/lib/dev/describe-running";
import { findDataFolderFault, findPortFault } from "@/lib/dev/find-start-fault";
import { type Launch, launch } from "@/lib/dev/launch";
import { LaunchFault } from "@/lib/dev/launch-fault";
import { type LaunchSettings, readLaunchSettings } from "@/lib/dev/launch-settings";
import type { Program } from "@/lib/dev/program";
import { showStep } from "@/lib/dev/show-step";
import { startConsole } from "@/lib/dev/start-console";
import { type GatewayReady, startGateway } from "@/lib/dev/start-gateway";
import { loadSecret, SecretError } from "@/lib/secret/load-secret";

// --watch: both programs follow the sources. --console: the console alone, for a gateway already running.
// --built: the console's build is used as it is.
const watching = process.argv.includes("--watch");
const consoleAlone = process.argv.includes("--console");
const built = watching || process.argv.includes("--built");

process.exit(await launch(start));

async function start({ run, unlessStopped }: Launch): Promise<void> {
  const settings = readSettings();
  await refuseWhatCannotStart(settings);
  const secret = readSecret(settings.dataFolder);
  const programs: Program[] = [];
  const runShown: Launch["run"] = (started) => {
    programs.push(started.program);
    if (watching) showOutput(started.program);
    return run(started);
  };

  let ready: GatewayReady | null = null;
  if (!settings.gatewayUrl) {
    const gateway = () => startGateway(gatewayEnvironment(settings, secret), watching ? ["--watch"] : []);
    ready = await showStep("Starting the gateway", "The gateway answers", () => runShown(gateway()));
  }
  if (!built && !(await isBuildCurrent())) {
    await showStep("Building the console", "The console is built", () => unlessStopped(buildConsole()));
  }
  const gatewayUrl = settings.gatewayUrl ?? ready?.url ?? "";
  const mode = watching ? "dev" : "start";
  const { host, consolePort: port } = settings;
  const consoleUrl = await showStep("Starting the console", "The console answers", () =>
    runShown(startConsole({ mode, host, port, gatewayUrl, secret })),
  );
  for (const program of programs) showOutput(program);
  announce({ consoleUrl, gatewayUrl, gateway: ready });
}

function readSettings(): LaunchSettings {
  const fallback = consoleAlone && !process.env.GATEWAY_URL ? { GATEWAY_URL: "http://127.0.0.1:8080" } : {};
  return readLaunchSettings({ ...process.env, ...fallback });
}

/** Before the build, which takes longest. */
async function refuseWhatCannotStart(settings: LaunchSettings): Promise<void> {
  const { host, consolePort, gatewayPort, gatewayUrl, dataFolder } = settings;
  const faults = await Promise.all([
    findPortFault("PORT", host, consolePort),
    gatewayUrl ? null : findPortFault("GATEWAY_PORT", host, gatewayPort),
    findDataFolderFault(dataFolder),
  ]);
  const lines = faults.filter((fault) => fault !== null);
  if (lines.length > 0) throw new LaunchFault(lines);
}

function readSecret(dataFolder: string): string {
  try {
    return loadSecret({ configured: process.env.GATEHOUSE_SECRET, dataFolder }).toString("base64");
  } catch (error) {
    if (error instanceof SecretError) throw new LaunchFault([error.message]);
    throw error;
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

/** To the person, and to the program that started this one, if one did. */
function announce(running: Running): void {
  for (const line of describeRunning(running)) console.log(line);
  process.send?.({
    type: "ready",
    consoleUrl: running.consoleUrl,
    baseUrl: `${running.gatewayUrl}/v1`,
    signInUrl: signInUrl(running),
    adminKey: running.gateway?.adminKey,
  });
}
