import type { Check } from "@/lib/dev/checks/check";
import { checkBrowserModules } from "@/lib/dev/checks/check-browser-modules";
import { checkExports } from "@/lib/dev/checks/check-exports";
import { checkFormat } from "@/lib/dev/checks/check-format";
import { checkImports } from "@/lib/dev/checks/check-imports";
import { checkLint } from "@/lib/dev/checks/check-lint";
import { checkSizesAndNames } from "@/lib/dev/checks/check-sizes-and-names";
import { checkTypes } from "@/lib/dev/checks/check-types";
import { checkUnitTests } from "@/lib/dev/checks/check-unit-tests";
import { checkWrites } from "@/lib/dev/checks/check-writes";
import { runChecks } from "@/lib/dev/checks/run-checks";
import { selectChecks } from "@/lib/dev/checks/select-checks";
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
