import { join } from "node:path";
import type { Check } from "@/lib/dev/checks/run-checks";

/** Where SQL stands: beside its noun in files of this name, and what all nouns share in the folder of the database. */
const SQL_FILE = /\.sql\.ts$/;
const DATABASE = "lib/gateway/database/";
/** These files read the database file directly, to verify what the gateway has written. */
const AUDITORS = ["lib/gateway/doctor/", "lib/gateway/simulation/"];

/** Each way around `change` and `systemChange`, with the files that may use it. */
const RULES = [
  {
    pattern: /\.(insertInto|updateTable|deleteFrom|replaceInto|mergeInto|selectFrom)\(/,
    mend: "SQL belongs in a file named *.sql.ts, beside its noun",
    except: [],
  },
  {
    pattern: /["'`]\s*(INSERT INTO|REPLACE INTO|UPDATE \w+ SET|DELETE FROM|DROP |ALTER |CREATE )/,
    mend: "SQL belongs in a file named *.sql.ts, beside its noun",
    except: [],
  },
  {
    pattern: /\btransactions\s*\.run\(/,
    mend: "a write is a unit of work: call change, or systemChange",
    except: ["lib/gateway/changes/change.ts", "lib/gateway/main/first-start.ts"],
  },
  {
    pattern: /\bwithin\b.*from "[^"]*transactions\.sql"/,
    mend: "only a *.sql.ts file writes with a transaction's queries",
    except: [],
  },
];

/** The gateway writes only in units of work. Types enforce that for ports; this check covers the other ways. */
export const checkWrites: Check = {
  name: "direction of writes",
  covers: (path) => isJudged(path),
  async run(paths) {
    const faults: string[] = [];
    for (const path of paths) {
      faults.push(...findWriteFaults(path, await Bun.file(join(process.cwd(), path)).text()));
    }
    return { passed: faults.length === 0, faults: faults.join("\n"), filesRead: paths.length };
  },
};

/** One line for each write in `source` that is outside a unit of work. */
export function findWriteFaults(path: string, source: string): string[] {
  if (!isJudged(path)) return [];
  return source
    .split("\n")
    .flatMap((line, index) =>
      RULES.filter(({ pattern, except }) => pattern.test(line) && !(except as string[]).includes(path)).map(
        ({ mend }) => `${path}:${index + 1} ${line.trim()}\n  ${mend}`,
      ),
    );
}

function isJudged(path: string): boolean {
  if (!path.startsWith("lib/gateway/") || !path.endsWith(".ts") || path.endsWith(".test.ts")) return false;
  if (SQL_FILE.test(path)) return false;
  return ![DATABASE, ...AUDITORS].some((folder) => path.startsWith(folder));
}
