import { buildConsole, isBuildCurrent } from "@/lib/dev/build/build-console";
import { LaunchFault } from "@/lib/dev/launch/program";
import { showStep } from "@/lib/dev/run-program";

try {
  if (await isBuildCurrent()) console.log("The console's build is current.");
  else await showStep("Building the console", "The console is built", buildConsole);
} catch (error) {
  if (!(error instanceof LaunchFault)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
