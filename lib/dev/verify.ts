import { checkBrowserModules } from "@/lib/dev/checks/check-browser-modules";
import { checkExports } from "@/lib/dev/checks/check-exports";
import { checkImports } from "@/lib/dev/checks/check-imports";
import { checkSizesAndNames } from "@/lib/dev/checks/check-sizes-and-names";
import { checkWrites } from "@/lib/dev/checks/check-writes";
import { type Check, runChecks, selectChecks } from "@/lib/dev/checks/run-checks";
import { checkFormat, checkLint, checkTypes, checkUnitTests } from "@/lib/dev/checks/run-tools";
import { listFiles } from "@/lib/dev/list-files";

const CHECKS: Check[] = [
  checkFormat,
  checkLint,
  checkImports,
  checkExports,
  checkWrites,
  checkBrowserModules,
  checkSizesAndNames,
  checkTypes,
  checkUnitTests,
];

// `npm run verify -- lint types` runs these alone.
const checks = selectChecks(CHECKS, process.argv.slice(2));
process.exitCode = (await runChecks(checks, await listFiles())) ? 0 : 1;
